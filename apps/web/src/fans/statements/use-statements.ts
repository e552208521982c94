import type { FanStatement } from '@stagedoor/contract/fans/statements';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { patchQueries } from '../../lib/server/patch-queries.ts';
import { changeKeys, queryKeys } from '../../lib/server/query-keys.ts';
import { t } from '../../lib/text/i18n.ts';
import { remove, saveChange } from './queries.ts';

/** Updates the statements in every cached list. */
function patch<T extends FanStatement>(
  client: QueryClient,
  change: (statements: readonly T[]) => T[],
): void {
  patchQueries<T[]>(client, { queryKey: queryKeys.statements.all }, change);
}

/**
 * Refetches all statements. Skips it while changes are pending, because the response would show them undone; the last change
 * refetches.
 */
export async function refreshStatements(client: QueryClient): Promise<void> {
  if (client.isMutating({ mutationKey: changeKeys.statements }) > 0) return;
  await client.invalidateQueries({ queryKey: queryKeys.statements.all });
}

/** A failed change and its retry. */
interface Failure {
  text: string;
  retry: () => void;
}

interface Change {
  show: () => void;
  work: () => Promise<void>;
  /** The error text if the server gives none. */
  fallback: string;
}

/** Marks promises as done and removes statements. Changes show at once and are reverted on failure. */
export function useStatements() {
  const client = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);
  const { mutate } = useMutation({
    mutationKey: changeKeys.statements,
    // Runs changes one after the other, so that the last one wins.
    scope: { id: 'statements' },
    onMutate: async ({ show }: Change) => {
      setFailure(null);
      // A response requested earlier would show the old state.
      await client.cancelQueries({ queryKey: queryKeys.statements.all });
      show();
    },
    mutationFn: ({ work }) => work(),
    onError: (error, change) => {
      // Someone else already removed it, which is the desired result.
      if (error instanceof ApiError && error.code === 'statement_not_found') return;
      console.error('Failed to change a statement', error);
      setFailure({ text: errorText(error, change.fallback), retry: () => mutate(change) });
    },
    onSettled: async () => {
      // The count still includes this mutation.
      if (client.isMutating({ mutationKey: changeKeys.statements }) > 1) return;
      await client.invalidateQueries({ queryKey: queryKeys.statements.all });
    },
  });

  return {
    failure,
    setDone: (statement: FanStatement, done: boolean) =>
      mutate({
        show: () =>
          patch(client, (statements) =>
            statements.map((other) =>
              other.id === statement.id
                ? { ...other, done_at: done ? new Date().toISOString() : null }
                : other,
            ),
          ),
        work: () => saveChange(statement.id, { done }),
        fallback: t('Couldn’t save the promise'),
      }),
    remove: ({ id }: FanStatement) =>
      mutate({
        show: () => patch(client, (statements) => statements.filter((other) => other.id !== id)),
        work: () => remove(id),
        fallback: t('Couldn’t remove it'),
      }),
  };
}
