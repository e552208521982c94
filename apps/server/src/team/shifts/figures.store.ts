import { toUsd } from '@stagedoor/contract/selling/cents';
import type {
  FigureMessage,
  MessageFigure,
  ShiftFigures,
  StaffFigures,
} from '@stagedoor/contract/team/shifts';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import type { Source } from '../../db/database.ts';
import { FAN_USERNAME } from '../../db/fan-name.ts';
import type { TimeCursor } from '../../http/cursor.ts';
import { LONGEST, SPAN } from './on-shift.ts';

/** A period as ISO instants; `to` is exclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The sums that figures are computed from. Amounts are in cents. */
interface Sums {
  readonly sales: number;
  readonly sales_count: number;
  readonly net_sales: number;
  readonly net_sales_count: number;
  readonly offers: number;
  readonly unlocked: number;
  readonly messages: number;
  readonly replies: number;
  readonly fans_answered: number;
  readonly answer_time_p50: number | null;
  readonly answer_time_p90: number | null;
  readonly clocked_seconds: number;
}

/** SQL: sums, the rows that they are computed from, and the time column that decides whether a row belongs to a period. */
const FACTS = [
  {
    sums: `coalesce(sum(amount_cents), 0) as sales, count(*) as sales_count,
      coalesce(sum(amount_cents) filter (where refunded_at is null), 0) as net_sales,
      count(*) filter (where refunded_at is null) as net_sales_count`,
    rows: 'purchases f where true',
    at: 'f.purchased_at',
  },
  {
    sums: 'count(*) as offers, count(p.id) as unlocked',
    rows: `product_sends f left join purchases p on p.attachment_id = f.attachment_id and p.refunded_at is null
      where true`,
    at: 'f.sent_at',
  },
  {
    sums: `count(*) as messages, count(f.waited_since) as replies,
      count(distinct f.conversation_id) filter (where f.waited_since is not null) as fans_answered,
      percentile_disc(0.5) within group (order by f.sent_at - f.waited_since) as answer_time_p50,
      percentile_disc(0.9) within group (order by f.sent_at - f.waited_since) as answer_time_p90`,
    rows: 'sent_messages f where f.campaign_id is null',
    at: 'f.sent_at',
  },
] as const;

const NAMES = `sales sales_count net_sales net_sales_count offers unlocked messages replies fans_answered`;
/** SQL: the columns of {@link Sums}, from the sums of all {@link FACTS}. */
const COLUMNS = `${NAMES.split(' ')
  .map((name) => `coalesce(${name}, 0)::bigint as ${name}`)
  .join(', ')},
  extract(epoch from answer_time_p50)::float8 as answer_time_p50, extract(epoch from answer_time_p90)::float8 as answer_time_p90,
  coalesce(clocked_seconds, 0) as clocked_seconds`;

/** Returns SQL for the seconds that clocks `c` ran in a period. On a replica whose time lags, `to` may be before `from`. */
const clocked = (from: string, to: string) =>
  `floor(sum(extract(epoch from least(coalesce(c.ended_at, now()), ${to}) - greatest(c.started_at, ${from}))))::int as clocked_seconds
    from clocks c where ${SPAN} && tstzrange(${from}, greatest(${from}, ${to})) and coalesce(c.ended_at, now()) > ${from}`;

type AdminRow = Sums & Omit<StaffMember, 'id'> & { readonly admin_id: string };

const staffText = `select a.id as admin_id, a.codename, a.display_color, ${COLUMNS}
  from admins a
    ${FACTS.map(
      ({ sums, rows, at }, index) => `left join (
        select f.admin_id, ${sums} from ${rows}
          and ${at} >= $1 and ${at} < $2 and ($3::uuid is null or f.admin_id = $3) group by f.admin_id
      ) as facts_${index} on facts_${index}.admin_id = a.id`,
    ).join(' ')}
    left join (
      select c.admin_id, ${clocked('$1::timestamptz', '$2::timestamptz')} and ($3::uuid is null or c.admin_id = $3) group by c.admin_id
    ) as clocked on clocked.admin_id = a.id
  where a.id = $3 or $3 is null and coalesce(sales_count, offers, messages, clocked_seconds) is not null
  order by net_sales desc, messages desc, a.codename, a.id`;

/** Returns each admin's figures for a period, highest net sales first. @param adminId null for all with figures */
export async function sumStaff(db: Source, { from, to }: Period, adminId: string | null) {
  const rows = await db.runPlanned<AdminRow>(staffText, [from, to, adminId]);
  return rows.map(({ admin_id: id, codename, display_color, ...sums }) => ({
    admin: { id, codename, display_color },
    figures: figuresOf(sums),
  }));
}

interface SpanRow extends Sums {
  readonly kind: 'planned' | 'clock';
  readonly id: string;
  readonly starts_at: Date;
  readonly ends_at: Date | null;
}

const spansText = `select span.kind, span.id, span.starts_at, span.ends_at, ${COLUMNS}
  from (
    (
      select 'planned' as kind, id, starts_at, ends_at, ends_at as until from shifts
      where admin_id = $1 and starts_at < $3 and starts_at > $2::timestamptz - ${LONGEST} and ends_at > $2
      order by starts_at desc limit $4
    ) union all (
      select 'clock', id, started_at, ended_at, coalesce(ended_at, now()) from clocks
      where admin_id = $1 and started_at < $3 and coalesce(ended_at, now()) > $2
      order by started_at desc limit $4
    ) order by starts_at desc, kind, id limit $4
  ) as span
    ${FACTS.map(
      ({ sums, rows, at }, index) => `cross join lateral (
        select ${sums} from ${rows}
          and f.admin_id = $1 and ${at} >= span.starts_at and ${at} < span.until
      ) as facts_${index}`,
    ).join(' ')}
    cross join lateral (select ${clocked('span.starts_at', 'span.until')} and c.admin_id = $1) as clocked
  order by span.starts_at desc, span.kind, span.id`;

/** Returns the figures of an admin's newest shifts and clocks that overlap a period. */
export async function sumShifts(
  db: Source,
  { from, to }: Period,
  adminId: string,
  limit: number,
): Promise<ShiftFigures[]> {
  const rows = await db.runPlanned<SpanRow>(spansText, [adminId, from, to, limit]);
  return rows.map(({ kind, id, starts_at, ends_at, ...sums }) => ({
    kind,
    id,
    starts_at: starts_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    figures: figuresOf(sums),
  }));
}

const over = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const figuresOf = (sums: Sums): StaffFigures => ({
  ...sums,
  sales: toUsd(sums.sales),
  net_sales: toUsd(sums.net_sales),
  unlock_rate: over(sums.unlocked * 100, sums.offers),
  sales_per_hour: over(toUsd(sums.sales), sums.clocked_seconds / 3_600),
  messages_per_sale: over(sums.messages, sums.sales_count),
});

const SENT = `select f.sent_at as at, f.message_id as id, f.message_id, f.conversation_id, f.waited_since
  from sent_messages f where f.admin_id = $1 and f.campaign_id is null and f.message_id is not null
    and f.sent_at >= $2 and f.sent_at < $3`;
const SOLD = `select f.purchased_at as at, f.id, f.message_id, f.conversation_id, f.product_id, f.amount_cents as cents, f.refunded_at
  from purchases f where f.admin_id = $1 and f.purchased_at >= $2 and f.purchased_at < $3`;
const OFFERED = `select f.sent_at as at, f.attachment_id as id, f.message_id, f.conversation_id, f.product_id, f.price_cents as cents
  from product_sends f where f.admin_id = $1 and f.sent_at >= $2 and f.sent_at < $3`;

/** SQL: the rows that a figure counts, each with its time and a unique id. */
const COUNTED: Readonly<Record<MessageFigure, string>> = {
  sales: SOLD,
  net_sales: `${SOLD} and f.refunded_at is null`,
  offers: OFFERED,
  unlocked: `${OFFERED} and exists (
    select from purchases p where p.attachment_id = f.attachment_id and p.refunded_at is null)`,
  messages: SENT,
  replies: `${SENT} and f.waited_since is not null`,
  // The newest reply to each fan.
  fans_answered: `select distinct on (conversation_id) * from (${SENT} and f.waited_since is not null) as replies
    order by conversation_id, at desc, id desc`,
};

/** The maximum number of characters of a message in a list. */
const CONTENT_CHARS = 200;

interface MessageRow {
  readonly at: Date;
  readonly id: string;
  readonly message_id: string;
  readonly conversation_id: string;
  readonly waited_since?: Date | null;
  readonly cents?: number;
  readonly refunded_at?: Date | null;
  readonly title: string | null;
  readonly content: string | null;
  readonly fan_name: string | null;
}

/** Returns the messages behind one of an admin's figures, newest first, with the ids for cursors. */
export async function listCounted(
  db: Source,
  {
    from,
    to,
    adminId,
    figure,
    cursor,
    limit,
  }: Period & {
    readonly adminId: string;
    readonly figure: MessageFigure;
    readonly cursor: TimeCursor | null;
    readonly limit: number;
  },
): Promise<{ readonly id: string; readonly message: FigureMessage }[]> {
  const values: unknown[] = [adminId, from, to, limit];
  if (cursor !== null) values.push(cursor.at, cursor.id);
  const product = COUNTED[figure].includes('product_id') ? 'l.product_id' : 'null';
  const rows = await db.runPlanned<MessageRow>(
    `select l.*, t.title, case when m.unsent_at is null then left(m.content, ${CONTENT_CHARS}) end as content,
      ${FAN_USERNAME} as fan_name
    from (
      select * from (${COUNTED[figure]}) as counted ${cursor === null ? '' : 'where (at, id) < ($5, $6)'}
      order by at desc, id desc limit $4
    ) as l
      left join messages m on m.id = l.message_id
      left join conversations c on c.id = m.conversation_id left join fans f on f.id = c.fan_id
      left join products t on t.id = ${product}
    order by l.at desc, l.id desc`,
    values,
  );
  return rows.map((row) => ({ id: row.id, message: presentCounted(row) }));
}

const presentCounted = (row: MessageRow): FigureMessage => ({
  at: row.at.toISOString(),
  message_id: row.message_id,
  conversation_id: row.conversation_id,
  message:
    row.content === null || row.fan_name === null
      ? null
      : { content: row.content, fan_name: row.fan_name },
  offer:
    row.title === null || row.cents === undefined
      ? null
      : { title: row.title, price: toUsd(row.cents) },
  refunded_at: row.refunded_at?.toISOString() ?? null,
  waited_seconds: row.waited_since ? (row.at.getTime() - row.waited_since.getTime()) / 1_000 : null,
});
