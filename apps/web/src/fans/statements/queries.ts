import {
  createStatement,
  deleteStatement,
  type FanStatement,
  listPromises,
  listStatements,
  type OpenPromise,
  type StatementChange,
  type StatementInput,
  updateStatement,
} from '@stagedoor/contract/fans/statements';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../lib/server/api.ts';

/** The refetch interval. Needed because a removed teammate's promises pass to others without an event. Milliseconds. */
const PROMISES_REFRESH_MS = 5 * 60_000;

/** The effect of a change on a list. */
export type StatementsChange = <T extends FanStatement>(statements: readonly T[]) => T[];

/** Keeps changes that are being saved: the server may have read the list before it saved them. */
function withChanges<T extends FanStatement>(client: QueryClient, stored: T[]): T[] {
  const filters = { mutationKey: ['statements'], status: 'pending' } as const;
  return client
    .getMutationCache()
    .findAll(filters)
    .reduce((list, { state }) => (state.variables as StatementsChange)(list), stored);
}

/** Returns the query for the statements and promises of a conversation. Each change refetches them. */
export const statementsOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['statements', 'of', conversationId],
    queryFn: async ({ signal, client }): Promise<FanStatement[]> => {
      const params = { id: conversationId };
      return withChanges(client, (await call(listStatements, { params, signal })).data);
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The viewer's open promises, due or not. */
export const promisesOptions = queryOptions({
  queryKey: ['statements', 'promises'],
  queryFn: async ({ signal, client }): Promise<OpenPromise[]> =>
    withChanges(client, (await call(listPromises, { signal })).data),
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: PROMISES_REFRESH_MS,
});

/** Saves a new statement. A retry with the same input stores it once. */
export async function saveNew(conversationId: string, body: StatementInput): Promise<void> {
  await call(createStatement, { params: { id: conversationId }, body });
}

export async function saveChange(id: string, body: StatementChange): Promise<void> {
  await call(updateStatement, { params: { id }, body });
}

export async function remove(id: string): Promise<void> {
  try {
    await call(deleteStatement, { params: { id } });
  } catch (error) {
    // Removed already, by a teammate or by a call whose reply was lost.
    if (!(error instanceof ApiError && error.code === 'statement_not_found')) throw error;
  }
}
