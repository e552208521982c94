import type { NotificationSettings } from '@stagedoor/contract/team/notifications';
import { sql } from 'kysely';
import type { Database, Statement } from '../../db/database.ts';
import { FAN_NAME } from '../../db/fan-name.ts';
import type { Row } from '../../db/tables.ts';
import { type Texts, textsIn } from '../../texts.ts';
import { manages } from '../admins/roles.ts';

export const DEFAULT_SETTINGS: NotificationSettings = {
  fan_messages: 'mine',
  sales: true,
  mentions: true,
  shows_text: false,
  quiet: null,
  time_zone: 'UTC',
};

type SettingsRow = Row<
  'notification_settings',
  'fan_messages' | 'sales' | 'mentions' | 'shows_text' | 'quiet_from' | 'quiet_to' | 'time_zone'
>;

const settingsOf = ({ quiet_from, quiet_to, ...row }: SettingsRow): NotificationSettings => ({
  fan_messages: row.fan_messages,
  sales: row.sales,
  mentions: row.mentions,
  shows_text: row.shows_text,
  time_zone: row.time_zone,
  quiet: quiet_from === null || quiet_to === null ? null : { from: quiet_from, to: quiet_to },
});

/** Returns an admin's settings; null if they haven't saved any. */
export async function findSettings(
  { kysely }: Database,
  adminId: string,
): Promise<NotificationSettings | null> {
  const row = await kysely
    .selectFrom('notification_settings')
    .selectAll()
    .where('admin_id', '=', adminId)
    .executeTakeFirst();
  return row === undefined ? null : settingsOf(row);
}

export async function saveSettings(
  { kysely }: Database,
  adminId: string,
  { quiet, ...settings }: NotificationSettings,
): Promise<void> {
  const row = { ...settings, quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null };
  await kysely
    .insertInto('notification_settings')
    .values({ admin_id: adminId, ...row })
    .onConflict((on) => on.column('admin_id').doUpdateSet(row))
    .execute();
}

export type NewSubscription = Row<
  'push_subscriptions',
  'session_id' | 'endpoint' | 'public_key' | 'auth'
>;

/** Saves a subscription. A session has at most one; a browser gets pushes only for the session that last subscribed in it. */
export async function putSubscription(
  { kysely }: Database,
  { session_id, ...row }: NewSubscription,
): Promise<void> {
  await kysely.transaction().execute(async (tx) => {
    // Removing an admin locks their sessions before the subscriptions, too.
    await sql`select from sessions where id = ${session_id} for key share`.execute(tx);
    await tx
      .deleteFrom('push_subscriptions')
      .where('endpoint', '=', row.endpoint)
      .where('session_id', '<>', session_id)
      .execute();
    await tx
      .insertInto('push_subscriptions')
      .values({ session_id, ...row })
      .onConflict((on) => on.column('session_id').doUpdateSet(row))
      .execute();
  });
}

export async function hasSubscription({ kysely }: Database, sessionId: string): Promise<boolean> {
  const row = await kysely
    .selectFrom('push_subscriptions')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a session's subscription. @param endpoint if given, deletes only a subscription with this endpoint */
export async function deleteSubscription(
  { kysely }: Database,
  sessionId: string,
  endpoint?: string,
): Promise<void> {
  let query = kysely.deleteFrom('push_subscriptions').where('session_id', '=', sessionId);
  if (endpoint !== undefined) query = query.where('endpoint', '=', endpoint);
  await query.execute();
}

const subscribersStatement: Statement = {
  name: 'notifications_subscribers',
  text: `select p.session_id, p.endpoint, p.public_key, p.auth, s.admin_id, a.language, a.role,
      n.fan_messages, n.sales, n.mentions, n.shows_text, n.quiet_from, n.quiet_to, n.time_zone
    from push_subscriptions p join sessions s on s.id = p.session_id join admins a on a.id = s.admin_id
      left join notification_settings n on n.admin_id = s.admin_id
    limit 2000`,
};

/** A subscribed browser, with its admin's notification settings. */
export interface Subscriber {
  readonly sessionId: string;
  readonly adminId: string;
  /** Whether the admin manages admins. */
  readonly manages: boolean;
  readonly texts: Texts;
  readonly endpoint: string;
  readonly keys: { readonly publicKey: Buffer; readonly auth: Buffer };
  readonly settings: NotificationSettings;
}

type SubscriberRow = NewSubscription &
  Row<'sessions', 'admin_id'> &
  Row<'admins', 'language' | 'role'> &
  (SettingsRow | { fan_messages: null });

/** Returns the subscribed browsers, at most 2,000, without checking that their sessions are live. */
export async function listSubscribers(db: Database): Promise<Subscriber[]> {
  const rows = await db.run<SubscriberRow>(subscribersStatement, []);
  return rows.map((row) => ({
    sessionId: row.session_id,
    adminId: row.admin_id,
    manages: manages(row.role),
    texts: textsIn(row.language),
    endpoint: row.endpoint,
    keys: { publicKey: row.public_key, auth: row.auth },
    settings: row.fan_messages === null ? DEFAULT_SETTINGS : settingsOf(row),
  }));
}

const newsStatement: Statement = {
  name: 'notifications_news',
  text: `select m.id, m.conversation_id, m.content, m.read_at, c.claimed_by, ${FAN_NAME} as fan_name
    from unnest($1::uuid[]) wanted (id) join messages m on m.id = wanted.id
      join conversations c on c.id = m.conversation_id join fans f on f.id = c.fan_id`,
};

/** The message data that a notification uses. */
export interface News
  extends Row<'messages', 'id' | 'conversation_id' | 'content' | 'read_at'>,
    Row<'conversations', 'claimed_by'> {
  readonly fan_name: string | null;
}

/** Returns the messages that still exist. */
export const findNews = (db: Database, messageIds: readonly string[]): Promise<News[]> =>
  db.run<News>(newsStatement, [messageIds]);

const mentionsStatement: Statement = {
  name: 'notifications_mentions',
  text: `select m.note_id, m.admin_id, n.conversation_id, n.content, author.codename as author, ${FAN_NAME} as fan_name, (
      select jsonb_object_agg(named.id, named.codename)
      from staff_note_mentions o join admins named on named.id = o.admin_id where o.note_id = n.id
    ) as names
    from unnest($1::uuid[], $2::uuid[]) wanted (note_id, admin_id)
      join staff_note_mentions m on m.note_id = wanted.note_id and m.admin_id = wanted.admin_id
      join staff_notes n on n.id = m.note_id join admins author on author.id = n.author_id
      join conversations c on c.id = n.conversation_id join fans f on f.id = c.fan_id
    where m.read_at is null and not m.is_self`,
};

/** The mention data that a notification uses; `admin_id` is the mentioned admin. */
export interface MentionNews
  extends Row<'staff_note_mentions', 'note_id' | 'admin_id'>,
    Row<'staff_notes', 'conversation_id' | 'content'> {
  readonly author: string;
  /** The codenames of the mentioned admins, by id. */
  readonly names: Readonly<Record<string, string>>;
  readonly fan_name: string | null;
}

/** Returns the mentions that still exist and are unread. */
export const findMentionNews = (
  db: Database,
  mentions: readonly { readonly noteId: string; readonly adminId: string }[],
): Promise<MentionNews[]> =>
  db.run<MentionNews>(mentionsStatement, [
    mentions.map(({ noteId }) => noteId),
    mentions.map(({ adminId }) => adminId),
  ]);
