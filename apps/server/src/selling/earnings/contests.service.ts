import { toCents, toUsd } from '@stagedoor/contract/selling/cents';
import type { EarningContest } from '@stagedoor/contract/selling/earnings';
import { type Database, isUuid } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import * as errors from '../../errors.ts';
import { pageOf } from '../../http/cursor.ts';
import { readerOf, scopeOf } from '../../http/reader.ts';
import type { AdminActor, Manager } from '../../http/route.ts';
import type { EarningNews } from '../../team/notifications/notices.ts';
import { readEarners } from './booking.store.ts';
import * as contests from './contests.store.ts';
import type { Page } from './earnings.service.ts';
import { audit, type ChangeLedger } from './ledger.store.ts';

interface ContestsDependencies {
  readonly db: Database;
  /** Books the facts queued since the last call. */
  readonly book: () => Promise<void>;
  readonly change: ChangeLedger;
  /** Notifies staff. Returns immediately. */
  readonly notify: (news: EarningNews) => void;
}

export type ContestsService = ReturnType<typeof createContestsService>;

/** Lets admins contest lines of the ledger, and managers answer the contests. */
export function createContestsService({ db, book, change, notify }: ContestsDependencies) {
  /** Returns an open contest. @throws AppError 404 `contest_not_found`, 409 `contest_answered` */
  async function requireOpen(tx: Tx, id: string) {
    const contest = isUuid(id) ? await contests.findContest(tx, id) : null;
    if (contest === null) throw errors.contestNotFound();
    if (contest.state !== 'open') throw new errors.AppError('contest_answered');
    return contest;
  }

  const read = (tx: Tx, id: string): Promise<contests.ContestRow> =>
    contests.selectContests(tx, null).where('c.id', '=', id).executeTakeFirstOrThrow();

  /** Returns everyone who has or had a part of the contested line. */
  const sharersOf = ({ parts }: contests.ContestRow) => parts.map(({ admin_id }) => admin_id);

  async function present(row: contests.ContestRow, reader: string | null): Promise<EarningContest> {
    const [contest] = await contests.presentContests(db, [row], reader);
    if (contest === undefined) throw errors.contestNotFound();
    return contest;
  }

  /** Notifies the claimant, everyone who has or had a part of the line, and managers. */
  const notifyAnswered = (
    what: 'accepted' | 'rejected',
    contest: contests.ContestRow,
    except: string,
  ) => {
    const adminIds = [contest.admin_id, ...sharersOf(contest)];
    notify({ what, adminIds, managers: true, except });
  };

  return {
    /** @throws AppError 404 `earning_not_found`, 409 `already_contested`, `sale_refunded`, `sale_undecided` */
    async add(actor: AdminActor, lineId: string, reason: string): Promise<EarningContest> {
      const { admin } = actor;
      await book();
      const { contest, adminIds } = await change(async (tx) => {
        const line = isUuid(lineId) ? await contests.findOriginalLine(tx, lineId) : null;
        const sale =
          line === null && isUuid(lineId) ? await contests.findSaleLines(tx, lineId) : [];
        const lines = line === null ? sale : [line];
        const [first] = lines;
        if (first === undefined) {
          const isQueued = isUuid(lineId) && (await contests.isSaleQueued(tx, lineId));
          throw isQueued ? new errors.AppError('sale_undecided') : errors.earningNotFound();
        }
        if (await contests.isRefunded(tx, first)) throw new errors.AppError('sale_refunded');
        const paid = lines.filter(({ amount_cents }) => amount_cents !== 0);
        const made: contests.ContestRow[] = [];
        for (const { id: line_id, seq } of paid.length > 0 ? paid : lines) {
          const id = await contests.insertContest(tx, { line_id, admin_id: admin.id, reason });
          if (id === null) continue;
          await audit(tx, admin.id, 'earning_contest.create', id, { line: seq });
          made.push(await read(tx, id));
        }
        const [contest] = made;
        if (contest === undefined) throw new errors.AppError('already_contested');
        return { contest, adminIds: made.flatMap(sharersOf) };
      });
      notify({ what: 'contested', adminIds, managers: true, except: admin.id });
      return present(contest, readerOf(actor));
    },

    /** @throws AppError 403 `permission_required` for another admin's contests */
    async list(
      actor: AdminActor,
      { admin_id, cursor, limit }: Page & { readonly admin_id?: string | undefined },
    ): Promise<{ data: EarningContest[]; next_cursor: string | null }> {
      const adminId = scopeOf(actor, admin_id);
      if (adminId !== null && !isUuid(adminId)) return { data: [], next_cursor: null };
      const after = cursor === undefined ? null : contests.contestCursors.decode(cursor);
      const found = await contests.listContests(db, adminId, after, limit + 1);
      const { page, next_cursor } = pageOf(found, limit, (last) =>
        contests.contestCursors.encode(contests.cursorOf(last)),
      );
      return { data: await contests.presentContests(db, page, readerOf(actor)), next_cursor };
    },

    /**
     * @throws AppError 400 for a part out of range, or parts that don't add up to the line's amount; 404 `contest_not_found`,
     * `admin_not_found`; 409 `contest_answered`, `sale_refunded`
     */
    async accept(
      { admin }: Manager,
      id: string,
      given: {
        readonly parts: readonly { admin_id: string; amount: number }[];
        readonly reason?: string | undefined;
      },
    ): Promise<EarningContest> {
      const accepted = await change(async (tx, { now, closedUpTo }) => {
        const contest = await requireOpen(tx, id);
        const line = await contests.findOriginalLine(tx, contest.line_id);
        if (line === null) throw errors.earningNotFound();
        if (await contests.isRefunded(tx, line)) throw new errors.AppError('sale_refunded');
        const earners = await readEarners(tx);
        const parts = new Map<string, number>();
        for (const { admin_id, amount } of given.parts) {
          if (!earners.has(admin_id)) throw errors.adminNotFound();
          parts.set(admin_id, (parts.get(admin_id) ?? 0) + toCents(amount));
        }
        const total = `$${toUsd(line.amount_cents).toFixed(2)}`;
        if ([...parts.values()].some((cents) => cents < 0 || cents > line.amount_cents))
          throw errors.invalidRequest({ parts: `Each part must be from $0.00 to ${total}` });
        const sum = [...parts.values()].reduce((total, cents) => total + cents, 0);
        if (sum !== line.amount_cents)
          throw errors.invalidRequest({ parts: `The parts must add up to ${total}` });
        const answer = given.reason ?? null;
        const at = closedUpTo !== null && line.at < closedUpTo ? now : line.at;
        const lines = await contests.moveParts(tx, { id, at, answer }, line, parts);
        const answered = { state: 'accepted', answer, answered_by: admin.id } as const;
        await contests.answerContest(tx, id, answered);
        const amounts = Object.fromEntries(
          lines.map((made) => [made.admin_id, toUsd(made.amount_cents)]),
        );
        await audit(tx, admin.id, 'earning_contest.accept', id, { line: line.seq, amounts });
        return read(tx, id);
      });
      notifyAnswered('accepted', accepted, admin.id);
      return present(accepted, null);
    },

    /** @throws AppError 404 `contest_not_found`, 409 `contest_answered` */
    async reject({ admin }: Manager, id: string, reason: string): Promise<EarningContest> {
      const rejected = await change(async (tx) => {
        await requireOpen(tx, id);
        const answer = { answer: reason, answered_by: admin.id };
        await contests.answerContest(tx, id, { state: 'rejected', ...answer });
        await audit(tx, admin.id, 'earning_contest.reject', id, { reason });
        return read(tx, id);
      });
      notifyAnswered('rejected', rejected, admin.id);
      return present(rejected, null);
    },
  };
}
