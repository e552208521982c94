import type { ScheduledMessage } from '@stagedoor/contract/messaging/scheduled';
import { SCHEDULED_LISTED_MAX } from '@stagedoor/contract/messaging/scheduled';
import { type Kysely, sql } from 'kysely';
import { ADVISORY_LOCKS } from '../../db/advisory-locks.ts';
import { type Database, isUuid, runIn } from '../../db/database.ts';
import type { Row, Tables, Tx } from '../../db/tables.ts';
import { extendUploads } from '../../media/uploads.store.ts';

type Attachments = ScheduledMessage['attachments'];

export type StoredScheduled = Row<'scheduled_messages'>;

interface ScheduledRow
  extends StoredScheduled,
    Row<'fans', 'first_name' | 'last_name' | 'username' | 'email' | 'timezone'>,
    Row<'admins', 'codename' | 'display_color'>,
    WasSent {}

type LockedScheduled = StoredScheduled & WasSent & { readonly is_taken: boolean };

interface WasSent {
  /** Whether a process sent the message but didn't store the outcome. */
  readonly was_sent: boolean;
}

const KEY = 'scheduled-';
/** Returns the client id with which the message is sent. It is the same for every attempt. */
export const keyOf = ({ id }: Pick<StoredScheduled, 'id'>): string => `${KEY}${id}`;
const WAS_SENT = `s.attempts > 0 and exists (
    select from messages m where m.author_id = s.admin_id and m.client_message_id = '${KEY}' || s.id
  )`;

/** @param rows SQL for the rows, with their order and limit */
const select = (
  rows: string,
) => `select s.*, ${WAS_SENT} as was_sent, f.first_name, f.last_name, f.username, f.email,
    f.timezone, a.codename, a.display_color
  from (${rows}) s join conversations c on c.id = s.conversation_id join fans f on f.id = c.fan_id
  join admins a on a.id = s.admin_id order by s.send_at, s.id`;
const IS_OPEN = "state in ('waiting', 'failed')";
const SOONEST = `order by send_at, id limit ${SCHEDULED_LISTED_MAX}`;

function present(row: ScheduledRow): ScheduledMessage {
  const { id, conversation_id, content, attachments, is_follow_up, version } = row;
  const { first_name, last_name, username, email, timezone } = row;
  return {
    id,
    conversation_id,
    fan: { first_name, last_name, username, email, timezone },
    author: { id: row.admin_id, codename: row.codename, display_color: row.display_color },
    content,
    attachments,
    send_at: row.send_at.toISOString(),
    is_follow_up,
    state: row.state === 'waiting' && row.was_sent ? 'sent' : row.state,
    reason: row.state === 'failed' ? row.reason : null,
    version,
  };
}

const lists = {
  conversation: `select * from scheduled_messages where conversation_id = $1 and ${IS_OPEN} ${SOONEST}`,
  admin: `select * from scheduled_messages where admin_id = $1 and ${IS_OPEN} ${SOONEST}`,
  all: `select * from scheduled_messages where $1::uuid is null and ${IS_OPEN} ${SOONEST}`,
  one: 'select * from scheduled_messages where id = $1',
};

async function find(db: Database, of: keyof typeof lists, id: string | null) {
  const statement = { name: `scheduled_list_${of}`, text: select(lists[of]) };
  return (await db.run<ScheduledRow>(statement, [id])).map(present);
}

export const isOpen = ({ state }: Pick<ScheduledMessage, 'state'>): boolean =>
  state === 'waiting' || state === 'failed';

/** Returns the waiting and failed messages, soonest first. @param id the conversation's or the admin's; null for all */
export async function listOpen(
  db: Database,
  of: Exclude<keyof typeof lists, 'one'>,
  id: string | null,
): Promise<ScheduledMessage[]> {
  return (await find(db, of, id)).filter(isOpen);
}

/** Returns a message in any state, as lists show it. @param id a UUID */
export async function findScheduled(db: Database, id: string): Promise<ScheduledMessage | null> {
  const [found] = await find(db, 'one', id);
  return found ?? null;
}

/** Counts an admin's waiting and failed messages. Holds a lock until the transaction ends, to serialize concurrent calls. */
export async function countWaiting(tx: Tx, adminId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.scheduled})`.execute(tx);
  const { count } = await tx
    .selectFrom('scheduled_messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('admin_id', '=', adminId)
    .where('state', 'in', ['waiting', 'failed'])
    .executeTakeFirstOrThrow();
  return count;
}

/** Finds the message that an admin scheduled with a client id. */
export async function findByKey(
  db: Kysely<Tables>,
  adminId: string,
  clientId: string,
): Promise<{ id: string; payload_hash: Buffer | null } | null> {
  const row = await db
    .selectFrom('scheduled_messages')
    .select(['id', 'payload_hash'])
    .where('admin_id', '=', adminId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row ?? null;
}

export interface NewScheduled {
  readonly conversationId: string;
  readonly adminId: string;
  readonly clientId: string;
  readonly payloadHash: Buffer;
  readonly content: string;
  readonly attachments: Attachments;
  readonly sendAt: Date;
  readonly isFollowUp: boolean;
}

/** @returns the new message's id; null if there is no such conversation */
export async function insertScheduled(tx: Tx, message: NewScheduled): Promise<string | null> {
  const { rows } = await sql<Row<'scheduled_messages', 'id'>>`
    insert into scheduled_messages
      (conversation_id, admin_id, client_id, payload_hash, content, attachments, send_at, due_at, is_follow_up, after_seq)
    select id, ${message.adminId}, ${message.clientId}, ${message.payloadHash}, ${message.content},
      ${JSON.stringify(message.attachments)}::jsonb, ${message.sendAt}, ${message.sendAt},
      ${message.isFollowUp}, last_seq
    from conversations where id = ${message.conversationId} returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Locks a message until the transaction ends. `is_taken`: a process is sending it now. */
export async function lockScheduled(tx: Tx, id: string): Promise<LockedScheduled | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<LockedScheduled>`
    select s.*, ${sql.raw(WAS_SENT)} as was_sent, coalesce(taken_until > clock_timestamp(), false) as is_taken
    from scheduled_messages s where id = ${id} for update`.execute(tx);
  return rows[0] ?? null;
}

type Changes = Pick<StoredScheduled, 'content' | 'attachments' | 'send_at' | 'is_follow_up'>;

/** Changes a message and sets it to waiting again. @param begins whether this change makes it a follow-up */
export async function updateScheduled(
  tx: Tx,
  id: string,
  { attachments, ...changes }: Changes,
  begins: boolean,
): Promise<void> {
  await tx
    .updateTable('scheduled_messages')
    .set({
      ...changes,
      due_at: changes.send_at,
      attachments: JSON.stringify(attachments),
      ...(begins && {
        after_seq: sql<number>`(select last_seq from conversations c where c.id = conversation_id)`,
      }),
      state: 'waiting',
      reason: null,
      attempts: 0,
      taken_until: null,
    })
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function cancelScheduled(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('scheduled_messages')
    .set({ state: 'cancelled', settled_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Keeps the uploads of a scheduled message until its send time. @param until null to release them */
export async function keepUploads(
  tx: Tx,
  attachments: Attachments,
  until: Date | null,
): Promise<void> {
  const ids = attachments.flatMap(({ input }) => ('id' in input ? [input.id] : []));
  if (ids.length === 0) return;
  const instant = 'greatest(now(), coalesce($2::timestamptz, now()))';
  await runIn(tx, extendUploads(instant, 'id = any($1::uuid[])'), [ids, until]);
}

export async function deleteScheduledOf(tx: Tx, conversationId: string): Promise<void> {
  await tx.deleteFrom('scheduled_messages').where('conversation_id', '=', conversationId).execute();
}

/** Removes messages that were sent or canceled over a week ago. */
export async function pruneScheduled(db: Database): Promise<void> {
  await db.runPlanned(
    `delete from scheduled_messages
      where state in ('sent', 'cancelled') and settled_at < now() - interval '7 days'`,
    [],
  );
}
