import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';

/** The number of rows per table; tables that can have only one row get one. */
const ROWS = 3;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** The table and column that it references. */
  readonly target: string | null;
  readonly targetColumn: string | null;
  /** The texts that a check allows. */
  readonly allowed: readonly string[] | null;
}

type Row = Readonly<Record<string, unknown>>;
/** The rows inserted so far, by table. */
type Filled = Map<string, Row[]>;

/**
 * Inserts rows into every empty table of a database, whatever its schema version. Values come from the types, references and
 * checks in the database's catalog, and from {@link MEANINGS} where these are not enough.
 * @returns the tables that were filled
 */
export async function populate({ kysely }: Database): Promise<string[]> {
  const columns = await readColumns(kysely);
  const filled: Filled = new Map();
  for (const table of inOrder(columns)) {
    const own = columns.filter((column) => column.table === table);
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(kysely);
    // A migration or a trigger has inserted rows.
    if (rows.length > 0) continue;
    const count = own.some(({ name }) => name === 'singleton' || name === 'one') ? 1 : ROWS;
    for (let n = 1; n <= count; n++) await insert(kysely, table, own, n, filled);
  }
  return [...filled.keys()].toSorted();
}

/** A hash of some columns of a table. */
export interface Contents {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly hash: string;
}

/** @param like the columns to compare; by default the tables' own */
export async function contentsOf(
  { kysely }: Database,
  like?: ReadonlyMap<string, Contents>,
): Promise<Map<string, Contents>> {
  const columns = await readColumns(kysely);
  const found = new Map<string, Contents>();
  for (const table of like?.keys() ?? new Set(columns.map((column) => column.table))) {
    const names =
      like?.get(table)?.columns ??
      columns.filter((column) => column.table === table).map(({ name }) => name);
    const { rows } = await sql<{ line: string }>`
      select row(${sql.join(names.map((name) => sql.ref(name)))})::text as line from ${sql.table(table)} order by 1`.execute(
      kysely,
    );
    const hash = createHash('sha256').update(rows.map(({ line }) => line).join('\n'));
    found.set(table, { columns: names, rows: rows.length, hash: hash.digest('hex') });
  }
  return found;
}

async function readColumns<T>(db: Kysely<T>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type,
      not a.attnotnull as nullable, f.target, f.column as "targetColumn", k.allowed
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      and a.attgenerated = '' and a.attidentity = ''
    left join lateral (
      select confrelid::regclass::text as target, ta.attname as column from pg_constraint
      join pg_attribute ta on ta.attrelid = confrelid and ta.attnum = confkey[1]
      where conrelid = c.oid and contype = 'f' and conkey[1] = a.attnum and confrelid <> c.oid limit 1
    ) f on true
    left join lateral (
      select array(select m[1] from regexp_matches(pg_get_constraintdef(oid), '''?([\\w]+)''?(?:::text)?(?=[,\\]])', 'g') m) as allowed
      from pg_constraint where conrelid = c.oid and contype = 'c' and conkey = array[a.attnum]
        and pg_get_constraintdef(oid) like '%= ANY (ARRAY[%' limit 1
    ) k on true
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'
    order by c.relname, a.attnum`.execute(db);
  return rows;
}

/** For each table, the tables whose ids it contains without a foreign key. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  outbox: ['conversations'],
  purchases: ['messages'],
  reactions: ['fans'],
  uploads: ['messages'],
  webhook_events: ['messages'],
};

/** Returns the tables, each after those it references. */
function inOrder(columns: readonly Column[]): string[] {
  const placed = new Set<string>();
  const waiting = new Set(columns.map(({ table }) => table));
  while (waiting.size > 0) {
    const ready = [...waiting].filter(
      (table) =>
        columns.every((c) => c.table !== table || c.target === null || placed.has(c.target)) &&
        (NAMES[table] ?? []).every((other) => placed.has(other) || !waiting.has(other)),
    );
    if (ready.length === 0) throw new Error('the tables reference each other in a circle');
    for (const table of ready) {
      placed.add(table);
      waiting.delete(table);
    }
  }
  return [...placed];
}

async function insert<T>(
  db: Kysely<T>,
  table: string,
  columns: readonly Column[],
  n: number,
  filled: Filled,
): Promise<void> {
  const values = columns.map((column) => sql`${valueFor(column, n, filled)}`);
  const names = columns.map(({ name }) => sql.ref(name));
  const { rows } = await sql<Row>`
    insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)}) returning *`.execute(
    db,
  );
  filled.set(table, [...(filled.get(table) ?? []), ...rows]);
}

function valueFor(column: Column, n: number, filled: Filled): unknown {
  const { table, name, type, target, targetColumn, allowed } = column;
  const meaning = MEANINGS[`${table}.${name}`] ?? MEANINGS[name];
  const of = (other: string, key = 'id') => rowOf(filled.get(other), n)?.[key] ?? null;
  if (meaning !== undefined) return meaning(n, of);
  // The last row has null wherever that is allowed.
  if (column.nullable && n === ROWS) return null;
  if (target !== null && targetColumn !== null) return of(target, targetColumn);
  if (allowed !== null) return allowed[(n - 1) % allowed.length];
  if (type === 'text') return `${table} ${name} ${n}`;
  if (type === 'uuid') return uuid(`${table} ${name} ${n}`);
  if (type === 'text[]') return [`${table} ${name} ${n}`];
  if (type === 'bytea') return Buffer.from(`${table} ${name} ${n}`);
  if (type === 'jsonb') return '{}';
  if (type === 'boolean') return true;
  if (type === 'timestamp with time zone') return hoursAgo(n);
  if (['integer', 'bigint', 'smallint', 'real'].includes(type)) return n;
  throw new Error(`no value for ${table}.${name} of type ${type}: add one to MEANINGS`);
}

/** Returns the nth row of a table, or the last row if there are fewer. */
const rowOf = (rows: readonly Row[] = [], n: number) => rows[n - 1] ?? rows.at(-1);

function uuid(of: string): string {
  const hex = createHash('sha256').update(of).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

type Meaning = (n: number, of: (table: string, key?: string) => unknown) => unknown;

/** Values for columns whose type says too little, keyed by the column's name, or by table and column. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  email: (n) => `person${n}@example.com`,
  color: () => '#4251D4',
  display_color: () => '#4251D4',
  emoji: () => '❤️',
  mime_type: () => 'image/png',
  avatar_url: (n) => `https://img.example/${n}.png`,
  timezone: () => 'Europe/Berlin',
  time_zone: () => 'Europe/Berlin',
  expires_at: () => hoursAgo(-24),
  delete_after: () => hoursAgo(-24),
  // The number of offers in mass messages. An upgrade recounts them, and this world has no mass messages.
  'analytics_quarters.mass_sends': () => 0,
  // Older versions have no check that lists the values.
  'earning_lines.source': () => 'sale',
  relayed: () => true,
  // A trigger maintains this count.
  'admins.passkeys': () => 0,
  'admins.role': (n) => ['creator', 'manager', 'support'][n - 1],
  'fans.external_id': (n) => `fan-${n}`,
  'fans.languages': () => ['pt', 'en'],
  'fan_tags.label': (n) => (n === 1 ? 'A label' : null),
  'fan_tags.global_tag_id': (n, of) => (n === 1 ? null : of('global_tags')),
  'conversations.unread_count': (n) => (n === 1 ? 1 : 0),
  'conversations.marked_unread': () => false,
  'conversations.snoozed_until': () => null,
  'conversations.last_seq': () => 1,
  'conversations.waiting_since': (n) => (n === 1 ? hoursAgo(1) : 'infinity'),
  'shifts.ends_at': () => hoursAgo(-24),
  'clocks.ended_at': (n) => (n === 1 ? hoursAgo(0) : null),
  'clocks.stopped_by': (n) => (n === 1 ? 'admin' : null),
  'shift_extensions.granted_by': (n, of) => (n === 1 ? of('admins') : null),
  'shift_extensions.until': (n) => (n === 1 ? hoursAgo(-1) : null),
  'earning_rules.role': (n) => (n === 1 ? null : 'support'),
  'earning_rules.admin_id': (n, of) => (n === 1 ? of('admins') : null),
  'earning_periods.ends_at': (n) => hoursAgo(-24 - n),
  'earning_contests.answered_at': (n) => (n === 1 ? null : hoursAgo(1)),
  'saved_views.filter': () => 'unread',
  'saved_views.sort': () => 'newest',
  'messages.seq': () => 1,
  'messages.from_fan': (n) => n === 1,
  'messages.author_id': (n, of) => of(n === 1 ? 'fans' : 'admins'),
  'messages.read_at': (n) => (n === 1 ? null : hoursAgo(n)),
  'messages.unsent_at': () => null,
  'messages.unsent_by': () => null,
  'messages.attachments': (n) =>
    JSON.stringify([
      {
        id: uuid(`uploads id ${n}`),
        type: 'image',
        key: `uploads/${n}`,
        thumbnail_key: null,
        filename: 'photo.png',
        size: 10,
        mime_type: 'image/png',
        width: 1,
        height: 1,
        product: null,
      },
    ]),
  'messages.reply_to_message_id': () => null,
  'message_tallies.up_to_seq': () => 1,
  'uploads.message_id': (_n, of) => of('messages'),
  'reactions.user_id': (_n, of) => of('fans'),
  'outbox.event': () => 'conversation_updated',
  'outbox.payload': (_n, of) => JSON.stringify({ conversation_id: of('conversations') }),
  'products.deleted_at': (n) => (n === ROWS ? hoursAgo(1) : null),
  'purchases.fan_id': (_n, of) => of('fans'),
  'purchases.message_id': (_n, of) => of('messages'),
  'purchases.conversation_id': (_n, of) => of('conversations'),
  'purchases.refunded_at': (n) => (n === 2 ? hoursAgo(1) : null),
  'passkey_challenges.pending_id': (n, of) => (n === 1 ? of('pending_sign_ins') : null),
  'passkey_challenges.session_id': (n, of) => (n === 1 ? null : of('sessions')),
  'audit_log.action': () => 'product.update',
  'scheduled_messages.due_at': () => hoursAgo(-24),
  'scheduled_messages.attachments': () => '[]',
  'scheduled_messages.is_follow_up': () => false,
  'invites.state': (n) => (n === 1 ? 'accepted' : 'sent'),
  'invites.error': () => null,
  'invites.sent_at': hoursAgo,
  'invites.accepted_at': (n) => (n === 1 ? hoursAgo(1) : null),
  'webhook_events.type': () => 'message.created',
  'webhook_events.state': (n) => (n === 1 ? 'delivered' : 'waiting'),
  'webhook_events.settled_at': (n) => (n === 1 ? hoursAgo(1) : null),
  'webhook_events.ref': (_n, of) => JSON.stringify({ message_id: of('messages') }),
};
