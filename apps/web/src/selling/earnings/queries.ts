import type { EndpointParsed } from '@stagedoor/contract/endpoint';
import {
  acceptContest,
  addCommissionRule,
  closePeriod,
  contestEarning,
  listCommissionRules,
  listContests,
  listEarnings,
  listPeriods,
  rejectContest,
  tryCommissionRule,
} from '@stagedoor/contract/selling/earnings';
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';

const DAY_MS = 86_400_000;

/** The refetch interval in milliseconds. Events report sales, but the lines for them are booked a moment later. */
const REFETCH_MS = 30_000;

export interface EarningsRange {
  readonly admin_id?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Returns the query for lines of the ledger, newest first, page by page. */
export const earningsOptions = (query: EarningsRange) =>
  infiniteQueryOptions({
    queryKey: ['earnings', 'lines', query],
    queryFn: ({ signal, pageParam }) =>
      call(listEarnings, { query: { ...query, ...pageParam }, signal }),
    ...byCursor,
    refetchInterval: REFETCH_MS,
  });

/** Net sales that are not booked yet, because it isn't certain who was on the clock. USD. */
export const undecidedOptions = queryOptions({
  queryKey: ['earnings', 'undecided', {}],
  queryFn: async ({ signal }) => {
    // A day is enough: a sale is booked within hours, once everyone on the clock has acted again or idle clocks have stopped.
    const from = new Date(Date.now() - DAY_MS).toISOString();
    return (await call(listEarnings, { query: { from, limit: 1 }, signal })).totals.undecided;
  },
  refetchInterval: REFETCH_MS,
});

/** Periods, newest first, page by page. The first page contains all open periods. */
export const periodsOptions = infiniteQueryOptions({
  queryKey: ['earnings', 'periods', {}],
  queryFn: ({ signal, pageParam }) => call(listPeriods, { query: pageParam, signal }),
  ...byCursor,
  select: ({ pages }) => pages.flatMap(({ data }) => data),
  refetchInterval: REFETCH_MS,
});

/**
 * Returns the query for contests, open ones first, page by page.
 * @param query an admin's contests; empty for all that the viewer may see
 */
export const contestsOptions = (query: Pick<EarningsRange, 'admin_id'>) =>
  infiniteQueryOptions({
    queryKey: ['earnings', 'contests', query],
    queryFn: ({ signal, pageParam }) =>
      call(listContests, { query: { ...query, ...pageParam }, signal }),
    ...byCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  });

export const rulesOptions = queryOptions({
  queryKey: ['earnings', 'rules', {}],
  queryFn: async ({ signal }) => (await call(listCommissionRules, { signal })).data,
});

/** Returns a mutation that changes the ledger, then refetches all earnings data on screen. */
function useChange<Input>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => void client.invalidateQueries({ queryKey: ['earnings'] }),
  });
}

export const useContest = () =>
  useChange(({ line, reason }: { line: string; reason: string }) =>
    call(contestEarning, { params: { line }, body: { reason } }),
  );

type Parts = EndpointParsed<typeof acceptContest>['body']['parts'];
/** Returns a mutation that accepts a contest if parts are given, and rejects it if they are null. */
export const useAnswer = () =>
  useChange(({ id, parts, reason }: { id: string; parts: Parts | null; reason: string }) =>
    parts === null
      ? call(rejectContest, { params: { id }, body: { reason } })
      : call(acceptContest, { params: { id }, body: { parts, reason } }),
  );

export const useClosePeriod = () =>
  useChange((id: string) => call(closePeriod, { params: { id } }));

export type NewRule = EndpointParsed<typeof addCommissionRule>['body'];
export const useAddRule = () => useChange((body: NewRule) => call(addCommissionRule, { body }));

/** Returns a mutation that tries a rule on a period and stores nothing. */
export const useTryRule = () =>
  useMutation({
    mutationFn: async (body: EndpointParsed<typeof tryCommissionRule>['body']) =>
      (await call(tryCommissionRule, { body })).data,
  });
