import type { EndpointParsed, EndpointReply } from '@stagedoor/contract/endpoint';
import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import type {
  addCommissionRule,
  CommissionRule,
  EarningLine,
  EarningPeriod,
  EarningTotals,
  listEarnings,
  listPeriods,
  tryCommissionRule,
} from '@stagedoor/contract/selling/earnings';
import { type Kysely, sql } from 'kysely';
import { isUuid } from '../../db/database.ts';
import type { Tables } from '../../db/tables.ts';
import { queueWebhook } from '../../db/webhook-events.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import { toCsv } from '../../http/csv.ts';
import { pageOf } from '../../http/cursor.ts';
import { readerOf, scopeOf } from '../../http/reader.ts';
import type { AdminActor, Manager } from '../../http/route.ts';
import type { EarningNews } from '../../team/notifications/notices.ts';
import { bookBatch, bookFacts, readEarners } from './booking.store.ts';
import { earningCursors, listLines, sumLines } from './earnings.store.ts';
import { audit, type ChangeLedger, lockLedger } from './ledger.store.ts';
import * as periods from './periods.store.ts';
import { insertRule, presentRule, readRuleViews } from './rules.store.ts';
import { compareRules } from './what-if.ts';

type RuleInput = EndpointParsed<typeof addCommissionRule>['body'];
type Trial = EndpointParsed<typeof tryCommissionRule>['body'];
type TrialResult = EndpointReply<typeof tryCommissionRule>['data'];

export interface Page {
  readonly cursor?: string | undefined;
  readonly limit: number;
}
type PeriodsPage = EndpointReply<typeof listPeriods>;

const SLIP_PAGE = 5_000;

export interface EarningsDependencies extends Pick<Core, 'db' | 'changeShared' | 'webhooks'> {
  /** Notifies staff. Returns immediately. */
  readonly notify: (news: EarningNews) => void;
}

export type EarningsService = ReturnType<typeof createEarningsService>;

/** Manages the ledger of earnings: its lines, rules and periods. */
export function createEarningsService({
  db,
  changeShared,
  webhooks,
  notify,
}: EarningsDependencies) {
  const notifyAdjusted = (adminIds: readonly string[]) =>
    notify({ what: 'adjusted', adminIds, managers: false, except: null });
  const book = () => bookFacts(db, notifyAdjusted);

  const change: ChangeLedger = async (work) => {
    const { result, adjusted } = await changeShared(async (tx, share) => {
      const ledger = await lockLedger(tx);
      const done = await work(tx, ledger);
      // The event has no content: each console fetches the data that its admin may see.
      await share({ what: 'earnings' });
      return { result: done, adjusted: ledger.adjusted };
    });
    webhooks.wake();
    if (adjusted.size > 0) notifyAdjusted([...adjusted]);
    return result;
  };

  let trial: Promise<unknown> = Promise.resolve();
  /** Runs comparisons of rules one at a time, because each comparison reads a whole period. */
  function inTurn<T>(compare: () => Promise<T>): Promise<T> {
    const turn = trial.then(compare);
    trial = turn.catch(() => undefined);
    return turn;
  }

  async function requirePeriod(id: string): Promise<periods.Period> {
    const period = await periods.findPeriod(db.kysely, id);
    if (period === null) throw errors.periodNotFound();
    return period;
  }

  /** Returns open periods and a page of the closed ones. @param adminId shows only this admin's sums; null: everyone's */
  async function withClosed(
    open: readonly periods.Period[],
    { cursor, limit }: Page,
    adminId: string | null,
  ): Promise<PeriodsPage> {
    const before = cursor === undefined ? null : periods.periodCursors.decode(cursor).ends_at;
    const found = await periods.closedPeriods(db.kysely, { before, limit: limit + 1 });
    const { page, next_cursor } = pageOf(found, limit, ({ ends_at }) =>
      periods.periodCursors.encode({ ends_at: ends_at.toISOString() }),
    );
    return { data: await periods.withSums(db.kysely, [...open, ...page], adminId), next_cursor };
  }

  return {
    /** Books the facts queued since the last call. */
    book,
    change,

    /** @throws AppError 403 `permission_required` for another admin's lines */
    async list(
      actor: AdminActor,
      filter: EndpointParsed<typeof listEarnings>['query'],
    ): Promise<{ data: EarningLine[]; totals: EarningTotals; next_cursor: string | null }> {
      const { from = null, to = null, cursor, limit } = filter;
      const after = cursor === undefined ? null : earningCursors.decode(cursor);
      const query = { from, to, adminId: scopeOf(actor, filter.admin_id) };
      if (query.adminId !== null && !isUuid(query.adminId))
        return { data: [], totals: NOTHING, next_cursor: null };
      await book();
      const asked = { cursor: after, limit: limit + 1 };
      const lines = await listLines(db, query, asked, readerOf(actor));
      const { page, next_cursor } = pageOf(lines, limit, ({ at, seq }) =>
        earningCursors.encode({ at, seq }),
      );
      return { data: page, totals: await sumLines(db, query), next_cursor };
    },

    async rules(): Promise<CommissionRule[]> {
      return (await readRuleViews(db.kysely)).map(presentRule);
    },

    /** @throws AppError 400 for a day in the past, 404 `admin_not_found` */
    async addRule({ admin }: Manager, input: RuleInput): Promise<CommissionRule> {
      // Facts from before the new rule are booked under the earlier rules.
      await book();
      return change(async (tx, { now }) => {
        const { rows } = await sql<{ starts_at: Date; today: boolean; past: boolean }>`
          select ${input.effective_from}::date::timestamp at time zone time_zone as starts_at,
            ${input.effective_from}::date = (${now}::timestamptz at time zone time_zone)::date as today,
            ${input.effective_from}::date < (${now}::timestamptz at time zone time_zone)::date as past
          from team_settings`.execute(tx);
        const [day] = rows;
        if (day === undefined || day.past)
          throw errors.invalidRequest({ effective_from: 'Choose today or a later day' });
        const rule = await requireRule(tx, input);
        const effective_at = day.today ? now : day.starts_at;
        const version = await insertRule(tx, { ...rule, effective_at, created_by: admin.id });
        await audit(tx, admin.id, 'earning_rule.create', rule.admin_id ?? admin.id, {
          ...input,
          version,
        });
        const made = (await readRuleViews(tx)).find((view) => view.version === version);
        if (made === undefined) throw new Error(`the rule ${version} was not stored`);
        return presentRule(made);
      });
    },

    /** @throws AppError 404 `admin_not_found`, `period_not_found` */
    async tryRule(input: Trial): Promise<TrialResult> {
      await book();
      const rule = await requireRule(db.kysely, input);
      const period = await requirePeriod(input.period_id);
      const [slip] = await periods.withSums(db.kysely, [period], null);
      const differences = await inTurn(() => compareRules(db.kysely, period, rule));
      const earned = new Map(
        slip?.admins.map(({ admin_id, amount }) => [admin_id, toCents(amount)]),
      );
      const names = await db.kysely.selectFrom('admins').select(['id', 'codename']).execute();
      return names
        .filter(({ id }) => earned.has(id) || differences.has(id))
        .toSorted((a, b) => a.codename.localeCompare(b.codename))
        .map(({ id, codename }) => {
          const [amount, difference] = [earned.get(id) ?? 0, differences.get(id) ?? 0];
          return {
            admin_id: id,
            admin_codename: codename,
            amount: toUsd(amount),
            tried_amount: toUsd(amount + difference),
            difference: toUsd(difference),
          };
        });
    },

    async periods(actor: AdminActor, page: Page): Promise<PeriodsPage> {
      await book();
      const isFirst = page.cursor === undefined;
      const open = isFirst ? (await periods.openPeriods(db.kysely)).toReversed() : [];
      return withClosed(open, page, readerOf(actor));
    },

    closedPeriods: (page: Page) => withClosed([], page, null),

    /** @throws AppError 404 `period_not_found`, 409 `period_closed`, `period_not_due` */
    async close({ admin }: Manager, id: string): Promise<EarningPeriod> {
      // Books outside the lock, so that nobody waits for a backlog, and a crash doesn't undo the batches booked so far.
      await book();
      return change(async (tx, ledger) => {
        while (await bookBatch(tx, ledger));
        const period = await periods.findPeriod(tx, id);
        if (period === null) throw errors.periodNotFound();
        if (period.closed_at !== null) throw new errors.AppError('period_closed');
        if (!period.can_close) throw new errors.AppError('period_not_due');
        await periods.insertPeriod(tx, period, admin.id);
        await audit(tx, admin.id, 'earning_period.close', admin.id, { period: id });
        await queueWebhook(tx, {
          type: 'period.closed',
          conversationId: null,
          ref: { period_id: id },
        });
        const closed = await periods.findPeriod(tx, id);
        const [data] = await periods.withSums(tx, closed === null ? [] : [closed], null);
        if (data === undefined) throw errors.periodNotFound();
        return data;
      });
    },

    /** @throws AppError 403 `permission_required` for another admin's pay slip, 404 `admin_not_found`, `period_not_found` */
    async payslip(actor: AdminActor, id: string, adminId: string | undefined): Promise<string> {
      const owner = scopeOf(actor, adminId);
      await requireEarner(db.kysely, owner);
      await book();
      const { starts_at, ends_at } = await requirePeriod(id);
      const query = { from: starts_at.toISOString(), to: ends_at.toISOString(), adminId: owner };
      const rows: EarningLine[] = [];
      for (let cursor: { at: string; seq: number } | null = null; ; ) {
        const lines: EarningLine[] = await listLines(
          db,
          query,
          { cursor, limit: SLIP_PAGE },
          readerOf(actor),
        );
        rows.push(...lines);
        cursor = lines.at(-1) ?? null;
        if (lines.length < SLIP_PAGE) break;
      }
      return toCsv(
        ['line', 'admin', 'at', 'kind', 'base_amount', 'amount', 'arithmetic', 'payment', 'note'],
        rows
          .toReversed()
          .map((line) => [
            line.seq,
            line.admin_codename,
            line.at,
            line.kind,
            line.base_amount,
            line.amount,
            line.arithmetic,
            line.payment?.reference ?? null,
            line.note,
          ]),
      );
    },
  };
}

const NOTHING = {
  amount: 0,
  base_amount: 0,
  seconds: 0,
  sales: 0,
  refunds: 0,
  hours: 0,
  adjustments: 0,
  undecided: 0,
};

/** @param id null: no admin is required @throws AppError 404 `admin_not_found` */
async function requireEarner(db: Kysely<Tables>, id: string | null): Promise<void> {
  if (id !== null && !(isUuid(id) && (await readEarners(db)).has(id))) throw errors.adminNotFound();
}

/** @throws AppError 404 `admin_not_found` */
async function requireRule(db: Kysely<Tables>, input: RuleInput | Trial) {
  const { admin_id = null, role = null, percentage, hourly_rate, credit } = input;
  await requireEarner(db, admin_id);
  return {
    admin_id,
    role,
    percent_hundredths: toCents(percentage),
    hourly_cents: toCents(hourly_rate),
    credit,
  };
}
