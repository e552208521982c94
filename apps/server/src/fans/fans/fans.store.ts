import { type FanProfile, PROFILE_FIELDS } from '@stagedoor/contract/fans/profile';
import type { LanguageCode } from '@stagedoor/contract/language-codes';
import type { FanProfileInput, PlatformFan } from '@stagedoor/contract/platform/platform';
import { conversationChange, openConversations } from '../../db/change-conversation.ts';
import { type Database, runIn, type Statement } from '../../db/database.ts';
import {
  type ConversationsChanged,
  type ConversationTouched,
  insertEvents,
} from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import { fanNotFound } from '../../errors.ts';
import { type HeldFan, holdFan } from './change-fan.ts';

/** The ids of a fan, their conversation and the creator. */
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

/** Returns the fan with the platform's id. @throws AppError 404 `fan_not_found` */
export async function requireFan(db: Database, externalId: string): Promise<FanRef> {
  const [fan] = await db.run<FanRef>(findStatement, [externalId]);
  if (fan === undefined) throw fanNotFound();
  return fan;
}

const ofConversationStatement: Statement = {
  name: 'fans_of_conversation',
  text: `select f.id, f.external_id, c.id as conversation_id, c.creator_id
    from conversations c join fans f on f.id = c.fan_id where c.id = $1`,
};

/** Returns the fan of a conversation, with the platform's id for them. @param conversationId a UUID */
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
  /** The event's outbox id; null if nothing changed. */
  readonly outbox_id: number | null;
}

/** `$n` is whether the input has the field, `$n+1` the new value. A field that is not in the input stays unchanged. */
const next = PROFILE_FIELDS.map(
  (field, index) =>
    `case when $${index * 2 + 2}::boolean then $${index * 2 + 3}::text else fans.${field} end`,
);
const nextFields = PROFILE_FIELDS.map((field, index) => `${next[index]} as ${field}`).join(', ');

/** The payload of the event for a new conversation. */
const OPENED = `jsonb_build_object('conversation_id', id)`;

/**
 * Locks the conversation first. A save that changes nothing writes nothing. The system column xmax is 0 only in a row that
 * this statement inserted.
 */
const saveStatement: Statement = {
  name: 'fans_save',
  text: conversationChange({
    before:
      'select c.id from fans f join conversations c on c.fan_id = f.id where f.external_id = $1 for no key update of c',
    given: `saved as (
      insert into fans (external_id, ${PROFILE_FIELDS.join(', ')})
      select $1, ${PROFILE_FIELDS.map((_, index) => `$${index * 2 + 3}::text`).join(', ')} where (select count(*) from before) >= 0
      on conflict (external_id) do update set
        ${PROFILE_FIELDS.map((field, index) => `${field} = ${next[index]}`).join(', ')}
        where exists (select from before) and (${PROFILE_FIELDS.map((field) => `fans.${field}`).join(', ')}) is distinct from (${next.join(', ')})
      returning *, xmax = 0 as created
    ), created as (
      select id from saved where created
    ), opened as (${openConversations('created')})`,
    where: 'exists (select from saved)',
    after: `opened_events as (${insertEvents('conversation_updated', OPENED, 'from opened')}
    ), fan as (
      select id, external_id, created_at, created, ${PROFILE_FIELDS.join(', ')} from saved
      union all
      select id, external_id, created_at, false, ${nextFields}
      from fans where external_id = $1 and not exists (select from saved)
    )`,
    select: `
      select fan.*, coalesce((select id from opened), (select id from before)) as conversation_id,
        coalesce((select id from opened_events), (select id from queued)) as outbox_id
      from fan`,
  }),
};

interface SavedFan {
  readonly fan: PlatformFan;
  readonly created: boolean;
}

/** The maximum number of tries. If the fan is created or erased concurrently, the statement changes nothing and is retried. */
const SAVE_TRIES = 3;

/** Creates or updates a fan, and emits the change. A new fan gets their conversation in the same statement. */
export async function saveFan(
  db: Database,
  conversationChanged: ConversationsChanged,
  externalId: string,
  profile: FanProfileInput,
): Promise<SavedFan> {
  const values = PROFILE_FIELDS.flatMap((field) => [
    profile[field] !== undefined,
    profile[field] ?? null,
  ]);
  for (let tries = 0; tries < SAVE_TRIES; tries++) {
    const [row] = await db.run<FanRow>(saveStatement, [externalId, ...values]);
    if (row?.conversation_id == null) continue;
    const { created, conversation_id, outbox_id } = row;
    if (outbox_id !== null)
      await conversationChanged([{ conversationId: conversation_id, outboxId: outbox_id }]);
    return { created, fan: presentFan(row, conversation_id) };
  }
  throw new Error('the fan kept being created and erased at the same time');
}

/** Returns the profile fields of a row. */
export function profileOf(row: FanProfile): FanProfile {
  const profile = {} as FanProfile;
  for (const field of PROFILE_FIELDS) profile[field] = row[field];
  return profile;
}

const presentFan = (
  row: Omit<FanRow, 'created' | 'outbox_id'>,
  conversationId: string,
): PlatformFan => ({
  id: row.id,
  external_id: row.external_id,
  conversation_id: conversationId,
  ...profileOf(row),
  created_at: row.created_at.toISOString(),
});

const profileStatement: Statement = {
  name: 'fans_profile',
  text: `select f.id, f.external_id, f.created_at, ${PROFILE_FIELDS.map((field) => `f.${field}`).join(', ')}, c.id as conversation_id
    from conversations c join fans f on f.id = c.fan_id where c.id = $1`,
};

/** Returns the fan of a conversation as the platform sees them. @param conversationId a UUID */
export async function findProfile(
  db: Database,
  conversationId: string,
): Promise<PlatformFan | null> {
  const [row] = await db.run<Omit<FanRow, 'created' | 'outbox_id'>>(profileStatement, [
    conversationId,
  ]);
  return row ? presentFan(row, conversationId) : null;
}

/**
 * Creates a fan whom the platform doesn't know yet, with their conversation, and queues the event. The conversation's last message
 * time is set to now, so that staff find it before the fan writes.
 * @returns null if a fan with this id already exists
 */
export async function insertFan(
  tx: Tx,
  given: { readonly externalId: string; readonly firstName: string; readonly email: string },
): Promise<{ readonly fan: HeldFan; readonly touched: ConversationTouched } | null> {
  const text = `
    with fan as (
      insert into fans (external_id, first_name, email) values ($1, $2, $3)
      on conflict (external_id) do nothing returning id
    ), opened as (${openConversations('fan', `date_trunc('milliseconds', now())`)}
    ), queued as (${insertEvents('conversation_updated', OPENED, 'from opened')})
    select fan.id, opened.id as conversation_id, queued.id as outbox_id from fan, opened, queued`;
  const [row] = await runIn<{ id: string; conversation_id: string; outbox_id: number }>(tx, text, [
    given.externalId,
    given.firstName,
    given.email,
  ]);
  if (row === undefined) return null;
  const { id, conversation_id: conversationId, outbox_id: outboxId } = row;
  return { fan: holdFan(id, conversationId), touched: { conversationId, outboxId } };
}

/** Replaces the languages that staff recorded. */
export async function saveLanguages(
  tx: Tx,
  fan: HeldFan,
  languages: readonly LanguageCode[],
): Promise<void> {
  await tx
    .updateTable('fans')
    .set({ languages: [...languages] })
    .where('id', '=', fan.id)
    .execute();
}

/** Deletes a fan with all their data, including their conversation. */
export async function deleteFan(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('fans').where('id', '=', id).execute();
}
