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
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** The refetch interval. Needed because a removed teammate's promises pass to others without an event. Milliseconds. */
const PROMISES_REFRESH_MS = 5 * 60_000;

/** Returns the query for the statements and promises of a conversation. Each change refetches them. */
export const statementsOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['statements', 'of', conversationId],
    queryFn: async ({ signal }): Promise<FanStatement[]> =>
      (await call(listStatements, { params: { id: conversationId }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The viewer's open promises, due or not. */
export const promisesOptions = queryOptions({
  queryKey: ['statements', 'promises'],
  queryFn: async ({ signal }): Promise<OpenPromise[]> =>
    (await call(listPromises, { signal })).data,
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
  await call(deleteStatement, { params: { id } });
}
