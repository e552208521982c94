import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { SPAN } from '../../team/shifts/on-shift.ts';
import {
  earnerOf,
  type OnClockSpan,
  presentAmong,
  readEarners,
  readRules,
} from './booking.store.ts';
import {
  type Earner,
  groupBy,
  type OnClock,
  type Rule,
  shareOfHours,
  sharesOfSale,
} from './calculate.ts';
import type { Period } from './periods.store.ts';

/** The number of sales computed at once. Other requests are served between pages. */
const PAGE = 1_000;

/** Returns a function that gives an admin the role they had at a time. Misses changes that were purged from the audit log. */
async function readRoles(db: Kysely<Tables>) {
  const { rows } = await sql<{ id: string; at: Date; was: Earner['role'] }>`
    select target_id as id, at, details->>'was' as was from audit_log
    where action in ('admin.update_role', 'admin.restore') order by at, id`.execute(db);
  const changes = groupBy(rows, ({ id }) => id);
  return <E extends Earner>(earner: E, time: Date): E => {
    const next = changes.get(earner.id)?.find(({ at }) => at > time);
    return next === undefined ? earner : { ...earner, role: next.was };
  };
}

/**
 * Computes how each admin's earnings of a period would change under another rule. Ignores refunded sales and contests, so the
 * rule that was in force gives 0.
 * @returns cents by admin
 */
export async function compareRules(
  db: Kysely<Tables>,
  period: Pick<Period, 'starts_at' | 'ends_at'>,
  tried: Omit<Rule, 'version' | 'effective_at'>,
): Promise<Map<string, number>> {
  const rules = await readRules(db);
  const others = rules.filter((rule) =>
    tried.admin_id === null ? rule.role !== tried.role : rule.admin_id !== tried.admin_id,
  );
  const variants = {
    actual: rules,
    tried: [...others, { ...tried, version: 0, effective_at: new Date(0) }],
  };
  const earners = await readEarners(db);
  const withRole = await readRoles(db);
  const differences = new Map<string, number>();
  const add = (kind: 'actual' | 'tried', id: string, cents: number) =>
    differences.set(id, (differences.get(id) ?? 0) + (kind === 'tried' ? cents : -cents));
  const from = period.starts_at.toISOString();
  const to = period.ends_at.toISOString();
  // Planned shifts are left out: no amount depends on them.
  const { rows: clocks } = await sql<OnClockSpan>`
    select c.admin_id as id, a.role, c.started_at, c.ended_at, null as shift_id
    from clocks c join admins a on a.id = c.admin_id where ${sql.raw(SPAN)} && tstzrange(${from}, ${to})
    order by c.admin_id, c.started_at`.execute(db);
  const onClock = presentAmong(clocks);

  let cursor = { at: from, id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const sales = await db
      .selectFrom('purchases')
      .select([
        'id',
        'admin_id',
        'amount_cents',
        'purchased_at',
        'created_at',
        sql<string>`purchased_at::text`.as('at'),
      ])
      .where('refunded_at', 'is', null)
      .where(sql<boolean>`(purchased_at, id) > (${cursor.at}::timestamptz, ${cursor.id}::uuid)`)
      .where(
        sql<boolean>`purchased_at >= ${from}::timestamptz and purchased_at < ${to}::timestamptz`,
      )
      .orderBy('purchased_at')
      .orderBy('id')
      .limit(PAGE)
      .execute();
    for (const { admin_id, amount_cents: cents, purchased_at: at, created_at } of sales) {
      // The role at booking counts. A sale is booked soon after it is recorded; a shared one within 30 minutes.
      const sale = { sender: withRole(earnerOf(earners, admin_id), created_at), cents, at };
      let found: readonly OnClock[] | undefined;
      const present = () => (found ??= onClock(at).map((admin) => withRole(admin, created_at)));
      for (const kind of ['actual', 'tried'] as const)
        for (const share of sharesOfSale(variants[kind], sale, present))
          add(kind, share.admin_id, share.amount_cents);
    }
    const last = sales.at(-1);
    if (last === undefined || sales.length < PAGE) break;
    cursor = { at: last.at, id: last.id };
  }

  for (const { started_at, ended_at, ...who } of clocks) {
    if (ended_at === null || ended_at < period.starts_at || ended_at >= period.ends_at) continue;
    const admin = withRole(who, ended_at);
    for (const kind of ['actual', 'tried'] as const)
      add(
        kind,
        admin.id,
        shareOfHours(variants[kind], { admin, started_at, ended_at }).amount_cents,
      );
  }
  return differences;
}
