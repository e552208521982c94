import type { FanTag } from '@stagedoor/contract/fans/fans';
import { type FanProfile, PROFILE_FIELDS } from '@stagedoor/contract/fans/profile';
import type { SubscriptionStatus } from '@stagedoor/contract/fans/subscriptions';
import type {
  Conversation,
  ConversationState,
  InboxFilter,
  InboxStats,
} from '@stagedoor/contract/inbox/conversations';
import type { Database, Statement } from '../../db/database.ts';
import type { Search } from '../../db/searches.ts';
import type { Row } from '../../db/tables.ts';
import { daysOf } from '../../db/zoned-days.ts';
import { profileOf } from '../../fans/fans/fans.store.ts';
import {
  NEEDS_REPLY,
  orderBy,
  type PageQuery,
  pageStatement,
  segmentCount,
  taggedFans,
  UNREAD,
} from './inbox-page.ts';

/** The columns of a conversation that change when a message is sent or read. */
const STATE = [
  'id',
  'version',
  'last_seq',
  'status',
  'unread_count',
  'marked_unread',
  'last_message_at',
  'last_message_content',
  'last_staff_id',
  'last_staff_seq',
  'waiting_since',
  'snoozed_until',
] as const;

export type ConversationStateRow = Row<'conversations', (typeof STATE)[number]>;

/** The columns of {@link ConversationStateRow}, for the RETURNING of statements that change a conversation. */
export const STATE_COLUMNS = STATE.join(', ');

export interface ConversationRow
  extends ConversationStateRow,
    Row<'conversations', 'fan_id' | 'creator_id' | 'claimed_by' | 'created_at'>,
    Row<'fans', 'external_id' | keyof FanProfile> {
  readonly claimant_codename: string | null;
  readonly claimant_color: string | null;
  readonly admin_tags: FanTag[] | null;
  readonly subscription_status: SubscriptionStatus | null;
  readonly subscription_ends_at: Date | null;
}

/**
 * Returns a query for complete conversations.
 * @param source a table expression with the columns of `conversations`
 * @param extra more columns of `source`, each with a leading comma
 */
export const selectConversations = (source: string, extra = '') => `
  select ${STATE.map((column) => `c.${column}`).join(', ')}, c.fan_id, c.creator_id, c.claimed_by, c.created_at,
    claimant.codename as claimant_codename, claimant.display_color as claimant_color,
    f.external_id, ${PROFILE_FIELDS.map((field) => `f.${field}`).join(', ')}, tags.admin_tags,
    b.status as subscription_status, b.ends_at as subscription_ends_at ${extra}
  from ${source} c
  join fans f on f.id = c.fan_id
  left join admins claimant on claimant.id = c.claimed_by
  left join fan_benefits b on b.fan_id = c.fan_id
  left join lateral (
    select jsonb_agg(jsonb_build_object(
      'id', t.id, 'label', coalesce(g.label, t.label), 'color', coalesce(g.color, t.color),
      'isGlobal', g.id is not null, 'globalTagId', g.id
    ) order by t.position, t.id) as admin_tags
    from fan_tags t left join global_tags g on g.id = t.global_tag_id
    where t.fan_id = c.fan_id
  ) tags on true`;

const isoOrNull = (instant: Date | number) =>
  instant instanceof Date ? instant.toISOString() : null;

export function presentState(row: ConversationStateRow): ConversationState {
  return {
    id: row.id,
    version: row.version,
    last_seq: row.last_seq,
    status: row.status,
    unread_count: row.unread_count,
    marked_unread: row.marked_unread,
    last_message_at: row.last_message_at.getTime() === 0 ? null : row.last_message_at.toISOString(),
    last_message_content: row.last_message_content,
    last_message_by: row.last_staff_seq === row.last_seq ? row.last_staff_id : null,
    waiting_since: isoOrNull(row.waiting_since),
    snooze: row.snoozed_until === null ? null : { until: isoOrNull(row.snoozed_until) },
  };
}

export function presentConversation(row: ConversationRow): Conversation {
  // An object literal that starts with such a large spread takes V8 four times as long.
  return Object.assign(presentState(row), {
    fan_id: row.fan_id,
    creator_id: row.creator_id,
    fan: {
      id: row.fan_id,
      external_id: row.external_id,
      ...profileOf(row),
      admin_tags: row.admin_tags ?? [],
      subscription:
        row.subscription_status === null
          ? null
          : {
              status: row.subscription_status,
              ends_at: row.subscription_ends_at?.toISOString() ?? null,
            },
    },
    claimed_by: row.claimed_by,
    claimant:
      row.claimed_by !== null && row.claimant_codename !== null && row.claimant_color !== null
        ? { id: row.claimed_by, codename: row.claimant_codename, display_color: row.claimant_color }
        : null,
    created_at: row.created_at.toISOString(),
  });
}

const findStatement: Statement = {
  name: 'conversations_find',
  text: selectConversations('(select * from conversations where id = $1)'),
};

/** @param id a UUID */
export async function findConversation(db: Database, id: string): Promise<Conversation | null> {
  const [row] = await db.run<ConversationRow>(findStatement, [id]);
  return row ? presentConversation(row) : null;
}

const findManyStatement: Statement = {
  name: 'conversations_find_many',
  text: selectConversations('(select * from conversations where id = any($1::uuid[]))'),
};

/** @param ids UUIDs @returns those that exist, in no particular order */
export async function findConversations(
  db: Database,
  ids: readonly string[],
): Promise<Conversation[]> {
  const rows = await db.run<ConversationRow>(findManyStatement, [ids]);
  return rows.map(presentConversation);
}

/** SQL for the total of each list. All except `mine` have stored counters. @param admin the SQL parameter with the caller's id */
const TOTALS: Record<InboxFilter, (admin: string) => string> = {
  all: () => 'select sum(conversations)::int from inbox_counters',
  unread: () => 'select sum(unread)::int from inbox_counters',
  needs_reply: () => 'select sum(needs_reply)::int from inbox_counters',
  archived: () => 'select sum(archived)::int from inbox_counters',
  mine: (admin) => `select count(*)::int from conversations where claimed_by = ${admin}`,
};

/**
 * Returns a page of a list, in order, and the list's total. The caller passes one more than the page size as `limit`, to know
 * whether another page exists.
 * @param search runs the statements for a segment
 */
export async function findPage(
  db: Database,
  query: PageQuery,
  search: Search,
): Promise<{ rows: ConversationRow[]; total: number }> {
  const { statement, values } = pageStatement(query);
  const { filter, sort, adminId, tag, segment } = query;
  const order = `order by ${orderBy(filter, sort, 'c.')}`;
  const source = `(${statement.text})`;
  if (segment !== null) {
    const text = `${selectConversations(source)} ${order}`;
    const [rows, counted] = await Promise.all([
      search<ConversationRow>({ text, values }),
      search<{ total: number }>(segmentCount(query, segment)),
    ]);
    return { rows, total: counted[0]?.total ?? 0 };
  }
  if (tag !== null) {
    const text = `${selectConversations(source)} ${order}`;
    const [rows, total] = await Promise.all([
      db.run<ConversationRow>({ name: statement.name, text }, values),
      countTagged(db, filter, adminId, tag),
    ]);
    return { rows, total };
  }
  // Part of the page's statement, because a separate statement costs more than this lookup.
  const admin = filter === 'mine' ? `$${values.push(adminId)}` : '';
  const text = `${selectConversations(source, `, (${TOTALS[filter](admin)}) as total`)} ${order}`;
  const rows = await db.run<ConversationRow & { total: number }>(
    { name: statement.name, text },
    values,
  );
  return { rows, total: rows[0]?.total ?? (await countAll(db, filter, adminId)) };
}

/** Returns the total for an empty page, which has no row to carry it. */
async function countAll(db: Database, filter: InboxFilter, adminId: string): Promise<number> {
  const isMine = filter === 'mine';
  const [row] = await db.run<{ total: number }>(
    {
      name: `conversations_total_${filter}`,
      text: `select (${TOTALS[filter](isMine ? '$1' : '')}) as total`,
    },
    isMine ? [adminId] : [],
  );
  return row?.total ?? 0;
}

const statsStatement: Statement = {
  name: 'conversations_stats',
  text: `select sum(conversations)::int as total_conversations, sum(unread)::int as unread_count,
      sum(needs_reply)::int as needs_reply_count, sum(archived)::int as archived_count,
      (select count(*)::int from conversations where claimed_by = $1) as mine_count,
      (select count(*)::int from staff_note_mentions where admin_id = $1 and read_at is null and not is_self) as unread_mentions,
      (select count(*)::int from handovers where to_id = $1 and accepted_at is null) as open_handovers,
      (select count(*)::int from conversations where first_message_at >= $2) as new_today
    from inbox_counters`,
};

/** @param timeZone an IANA name; defines when today begins. PostgreSQL may not know it */
export async function inboxStats(
  db: Database,
  adminId: string,
  timeZone: string,
): Promise<InboxStats> {
  const now = Date.now();
  const [today] = daysOf(now, now + 1, timeZone).map(({ start }) => new Date(start));
  const [row] = await db.run<InboxStats>(statsStatement, [adminId, today]);
  if (row === undefined) throw new Error('the inbox counters are missing');
  return row;
}

/** SQL: counts tagged fans. Reads the list first, which is faster than looking up every fan with a common tag. */
const taggedOf = (list: string) => `(
    select count(*) from (select fan_id from conversations where ${list} offset 0) c where fan_id in (${taggedFans('$3')})
  )`;

/** The maximum number of tagged fans that are looked up one by one instead of reading the whole list. */
const LOOKED_UP = 3_000;

/** SQL: counts tagged fans in a list that may be long. Reads the tagged fans first, unless there are many. */
const fewTaggedOf = (list: string) => `(
    case when (select count(*) from (select from (${taggedFans('$3')}) carrying limit ${LOOKED_UP + 1}) few) <= ${LOOKED_UP}
      then (select count(*) from (select distinct fan_id from (${taggedFans('$3')}) carrying) tagged
        cross join lateral (select from conversations where fan_id = tagged.fan_id and ${list} offset 0) listed)
      else ${taggedOf(list)}
    end
  )`;

const taggedTotalStatement: Statement = {
  name: 'conversations_tagged_total',
  // Every fan has one conversation, so for `all` counting the tagged fans is enough.
  text: `select case $1
      when 'all' then (select count(distinct fan_id) from (${taggedFans('$3')}) as tagged)
      when 'mine' then ${taggedOf('claimed_by = $2')}
      when 'unread' then ${taggedOf(UNREAD)}
      when 'needs_reply' then ${fewTaggedOf(NEEDS_REPLY)}
      else ${taggedOf(`status = 'archived'`)}
    end::int as total`,
};

/** Returns how many conversations of a list have a fan with the tag. */
async function countTagged(
  db: Database,
  filter: InboxFilter,
  adminId: string,
  tag: string,
): Promise<number> {
  const [row] = await db.run<{ total: number }>(taggedTotalStatement, [filter, adminId, tag]);
  return row?.total ?? 0;
}
