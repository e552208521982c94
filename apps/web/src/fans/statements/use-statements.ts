import type { FanStatement } from '@stagedoor/contract/fans/statements';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { patchQueries } from '../../lib/server/patch-queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { statementKeys } from './keys.ts';
import { remove, saveChange } from './queries.ts';

/** Changes what is cached of statements, in every list that has them. */
function patch<T extends FanStatement>(
  client: QueryClient,
  change: (statements: readonly T[]) => T[],
): void {
  patchQueries<T[]>(client, { queryKey: statementKeys.all }, change);
}

/** Of changes that show before they are stored. */
const CHANGES = ['statements', 'change'];

/** Asks for all that is shown of statements again; with changes on their way, which it would show undone, the last of them does. */
export async function refreshStatements(client: QueryClient): Promise<void> {
  if (client.isMutating({ mutationKey: CHANGES }) > 0) return;
  await client.invalidateQueries({ queryKey: statementKeys.all });
}

/** What could not be done, and how it is tried again. */
interface Failure {
  text: string;
  retry: () => void;
}

interface Change {
  show: () => void;
  work: () => Promise<void>;
  /** What to say where nothing says why it failed. */
  fallback: string;
}

/** Marks promises as done and removes statements: that shows at once, and goes back when it fails. */
export function useStatements() {
  const client = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);
  const { mutate } = useMutation({
    mutationKey: CHANGES,
    // One after the other, so that what was wished last is what stays.
    scope: { id: 'statements' },
    onMutate: async ({ show }: Change) => {
      setFailure(null);
      // An answer that was asked for before would show it as it was.
      await client.cancelQueries({ queryKey: statementKeys.all });
      show();
    },
    mutationFn: ({ work }) => work(),
    onError: (error, change) => {
      // Somebody else removed it: it is gone, as was wished.
      if (error instanceof ApiError && error.code === 'statement_not_found') return;
      console.error('Failed to change a statement', error);
      setFailure({ text: errorText(error, change.fallback), retry: () => mutate(change) });
    },
    onSettled: async () => {
      // It still counts itself.
      if (client.isMutating({ mutationKey: CHANGES }) > 1) return;
      await client.invalidateQueries({ queryKey: statementKeys.all });
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
        fallback: t('Failed to save the promise'),
      }),
    remove: ({ id }: FanStatement) =>
      mutate({
        show: () => patch(client, (statements) => statements.filter((other) => other.id !== id)),
        work: () => remove(id),
        fallback: t('Failed to remove it'),
      }),
  };
}
