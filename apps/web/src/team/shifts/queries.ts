import * as api from '@stagedoor/contract/team/shifts';
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';
import { patchQueries } from '../../lib/server/patch-queries.ts';
import { addDays } from './week.ts';

/** The refetch interval for changes without an event: a shift begins, a request expires. Milliseconds. */
const RECHECK_MS = 60_000;

/** The plan and the clocks of a week. */
type Plan = Awaited<ReturnType<typeof fetchPlan>>;

/** Fetches a week's plan, with an extra day on both sides because the team's time zone is only known from the plan. */
const fetchPlan = (week: string, signal: AbortSignal) => {
  const instant = (days: number) => `${addDays(week, days)}T00:00:00Z`;
  return call(api.listShifts, { query: { from: instant(-1), to: instant(8) }, signal });
};

/** Keeps shifts that are being moved at their new times: the server may have read the plan before it saved the move. */
function withMoves(client: QueryClient, plan: Plan): Plan {
  const moves = client.getMutationCache().findAll({ mutationKey: ['shift'], status: 'pending' });
  const moved = new Map(
    moves.map(({ state }) => state.variables as api.Shift).map((shift) => [shift.id, shift]),
  );
  return { ...plan, data: plan.data.map((shift) => moved.get(shift.id) ?? shift) };
}

/** Returns the query for the plan of a week. @param week the first day, as `2026-11-23` */
export const planOptions = (week: string) =>
  queryOptions({
    queryKey: ['shifts', week],
    queryFn: async ({ signal, client }) => withMoves(client, await fetchPlan(week, signal)),
    placeholderData: keepPreviousData,
  });

/** The admin's clock, when their time to act ends, and the requests that concern them. */
export const nowOptions = queryOptions({
  queryKey: ['shifts', 'now'],
  queryFn: async ({ signal }) => (await call(api.shiftNow, { signal })).data,
  refetchInterval: ({ state: { data } }) =>
    data && (data.access.is_limited || data.requests.length > 0) ? RECHECK_MS : false,
});

/** A period, and an admin; without an admin, everyone whose figures the viewer may see. */
export interface FiguresQuery {
  readonly from: string;
  readonly to: string;
  readonly admin_id?: string;
}

/** Returns the query for the figures for a period. */
export const figuresOptions = (query: FiguresQuery) =>
  queryOptions({
    queryKey: ['shifts', 'figures', query],
    queryFn: ({ signal }) => call(api.shiftFigures, { query, signal }),
  });

/** Returns the query for the messages behind a figure, newest first. */
export const figureMessagesOptions = (query: FiguresQuery & { figure: api.MessageFigure }) =>
  infiniteQueryOptions({
    queryKey: ['shifts', 'messages', query],
    queryFn: ({ pageParam, signal }) =>
      call(api.listFigureMessages, { query: { ...query, ...pageParam }, signal }),
    ...byCursor,
  });

const isPlan = (data: Plan | object): data is Plan => 'staff' in data;

/** Puts a shift into all cached plans, at its new time if it is being moved. Plans of other weeks don't display it. */
export function putShift(client: QueryClient, shift: api.Shift): void {
  patchQueries<Plan | object>(client, { queryKey: ['shifts'] }, (plan) => {
    if (!isPlan(plan)) return plan;
    const others = plan.data.filter(({ id }) => id !== shift.id);
    return withMoves(client, { ...plan, data: [...others, shift] });
  });
}

export const refreshShifts = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: ['shifts'] });
