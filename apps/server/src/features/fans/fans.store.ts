import type { FanProfileInput, PlatformFan } from '@stagedoor/contract/platform';
import { sql, type Transaction } from 'kysely';
import type { Database, Statement } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';

/** A fan as the platform named them, with what the fan's own calls need. */
export interface FanRef {
  readonly id: string;
  readonly conversation_id: string;
  readonly creator_id: string;
}

const findStatement: Statement = {
  name: 'fans_find',
  text: `select f.id, c.id as conversation_id, c.creator_id
    from fans f join conversations c on c.fan_id = f.id where f.external_id = $1`,
};

export async function findFan(db: Database, externalId: string): Promise<FanRef | null> {
  const [fan] = await db.run<FanRef>(findStatement, [externalId]);
  return fan ?? null;
}

const ofConversationStatement: Statement = {
  name: 'fans_of_conversation',
  text: `select f.id, f.external_id, c.id as conversation_id, c.creator_id
    from conversations c join fans f on f.id = c.fan_id where c.id = $1`,
};

/** A fan by their conversation, with the platform's own id for them. @param conversationId a UUID */
export async function findFanOfConversation(
  db: Database,
  conversationId: string,
): Promise<(FanRef & { readonly external_id: string }) | null> {
  const [fan] = await db.run<FanRef & { readonly external_id: string }>(ofConversationStatement, [
    conversationId,
  ]);
  return fan ?? null;
}

interface FanRow extends Omit<PlatformFan, 'created_at' | 'conversation_id'> {
  readonly conversation_id: string | null;
  readonly created_at: Date;
  readonly created: boolean;
}

const PROFILE = ['first_name', 'last_name', 'username', 'email', 'avatar_url', 'timezone'] as const;

/**
 * A field that was not given keeps its value: `$n` says whether it was, `$n+1` is it. The system column xmax is 0 only in
 * a row that this statement inserted.
 */
const saveStatement: Statement = {
  name: 'fans_save',
  text: `with fan as (
      insert into fans (external_id, ${PROFILE.join(', ')})
      values ($1, ${PROFILE.map((_, index) => `$${index * 2 + 3}`).join(', ')})
      on conflict (external_id) do update set
        ${PROFILE.map((field, index) => `${field} = case when $${index * 2 + 2}::boolean then excluded.${field} else fans.${field} end`).join(', ')}
      returning *, xmax = 0 as created
    ), opened as (
      insert into conversations (fan_id, creator_id) select fan.id, creators.id from fan, creators where fan.created
      returning id, fan_id
    ), touched as (
      update conversations set version = version + 1 from fan
      where conversations.fan_id = fan.id and not fan.created returning conversations.id
    )
    select fan.id, fan.external_id, fan.created_at, fan.created, ${PROFILE.map((field) => `fan.${field}`).join(', ')},
      coalesce((select id from opened), (select id from touched)) as conversation_id
    from fan`,
};

/** Creates or updates a fan; a new one gets their conversation in the same step. */
export async function saveFan(
  db: Database,
  externalId: string,
  profile: FanProfileInput,
): Promise<{ fan: PlatformFan; created: boolean }> {
  const values = PROFILE.flatMap((field) => [profile[field] !== undefined, profile[field] ?? null]);
  const [row] = await db.run<FanRow>(saveStatement, [externalId, ...values]);
  if (row === undefined) throw new Error('a saved fan was not returned');
  // A fan whom another call created while this one ran: their conversation is not in this statement's snapshot.
  const conversationId = row.conversation_id ?? (await findFan(db, externalId))?.conversation_id;
  if (conversationId === undefined) throw new Error('a fan without a conversation');
  return { created: row.created, fan: presentFan(row, conversationId) };
}

const presentFan = (row: Omit<FanRow, 'created'>, conversationId: string): PlatformFan => ({
  id: row.id,
  external_id: row.external_id,
  conversation_id: conversationId,
  first_name: row.first_name,
  last_name: row.last_name,
  username: row.username,
  email: row.email,
  avatar_url: row.avatar_url,
  timezone: row.timezone,
  created_at: row.created_at.toISOString(),
});

const profileStatement: Statement = {
  name: 'fans_profile',
  text: `select f.id, f.external_id, f.created_at, ${PROFILE.map((field) => `f.${field}`).join(', ')}, c.id as conversation_id
    from conversations c join fans f on f.id = c.fan_id where c.id = $1`,
};

/** A fan, by their conversation, as the platform knows them. @param conversationId a UUID */
export async function findProfile(
  db: Database,
  conversationId: string,
): Promise<PlatformFan | null> {
  const [row] = await db.run<Omit<FanRow, 'created'>>(profileStatement, [conversationId]);
  return row ? presentFan(row, conversationId) : null;
}

/**
 * Makes a fan whom the platform does not know yet, with their conversation, which counts as moved now: so it is found
 * before they write.
 * @returns null where there is a fan of this id already
 */
export async function insertFan(
  tx: Transaction<Tables>,
  fan: { readonly externalId: string; readonly firstName: string; readonly email: string },
): Promise<FanRef | null> {
  const { rows } = await sql<FanRef>`
    with fan as (
      insert into fans (external_id, first_name, email)
      values (${fan.externalId}, ${fan.firstName}, ${fan.email})
      on conflict (external_id) do nothing returning id
    ), opened as (
      insert into conversations (fan_id, creator_id, last_message_at)
      select fan.id, creators.id, date_trunc('milliseconds', now()) from fan, creators returning id, creator_id
    )
    select fan.id, opened.id as conversation_id, opened.creator_id from fan, opened`.execute(tx);
  return rows[0] ?? null;
}

/** Makes the one creator at first start; later ones only follow a changed name, of which the platform hears. */
export async function ensureCreator(db: Database, displayName: string): Promise<void> {
  await db.kysely.transaction().execute(async (tx) => {
    const renamed = await tx
      .updateTable('creators')
      .set({ display_name: displayName })
      .where('display_name', '<>', displayName)
      .returning('id')
      .executeTakeFirst();
    if (renamed !== undefined) {
      await queueWebhook(tx, { type: 'creator.updated', conversationId: null, ref: {} });
    }
    await tx
      .insertInto('creators')
      .values({ display_name: displayName })
      .onConflict((conflict) => conflict.column('singleton').doNothing())
      .execute();
  });
}
