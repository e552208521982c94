import type { FanStatement } from '@stagedoor/contract/statements';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorText } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { patchQueries } from '../../lib/patch-queries.ts';
import { statementKeys } from './keys.ts';
import { remove, saveChange } from './queries.ts';

/** Changes what is cached of statements, in every list that has them. */
function patch<T extends FanStatement>(
  client: QueryClient,
  change: (statements: readonly T[]) => T[],
): void {
  patchQueries<T[]>(client, { queryKey: statementKeys.all }, change);
}

/** Changes that are on their way, one after the other, so that what was wished last is what stays. */
let underWay = 0;
let latest: Promise<unknown> = Promise.resolve();

/** Asks for all that is shown of statements again; while changes are on their way, which it would show undone, once they are over. */
export async function refreshStatements(client: QueryClient): Promise<void> {
  if (underWay === 0) await client.invalidateQueries({ queryKey: statementKeys.all });
}

/** What could not be done, and how it is tried again. */
interface Failure {
  text: string;
  retry: () => void;
}

/** Marks promises as done and removes statements: that shows at once, and goes back when it fails. */
export function useStatements() {
  const client = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);

  async function attempt(
    show: () => void,
    work: () => Promise<void>,
    fallback: string,
  ): Promise<void> {
    setFailure(null);
    underWay += 1;
    // An answer that was asked for before would show it as it was.
    await client.cancelQueries({ queryKey: statementKeys.all });
    show();
    const done = latest.then(work);
    latest = done.catch(() => undefined);
    try {
      await done;
    } catch (error) {
      // Somebody else removed it: it is gone, as was wished.
      if (!(error instanceof ApiError && error.code === 'statement_not_found')) {
        console.error('Failed to change a statement', error);
        const retry = () => void attempt(show, work, fallback);
        setFailure({ text: errorText(error, fallback), retry });
      }
    } finally {
      underWay -= 1;
    }
    await refreshStatements(client);
  }

  return {
    failure,
    setDone: (statement: FanStatement, done: boolean) =>
      attempt(
        () =>
          patch(client, (statements) =>
            statements.map((other) =>
              other.id === statement.id
                ? { ...other, done_at: done ? new Date().toISOString() : null }
                : other,
            ),
          ),
        () => saveChange(statement.id, { done }),
        t('Failed to save the promise'),
      ),
    remove: ({ id }: FanStatement) =>
      attempt(
        () => patch(client, (statements) => statements.filter((other) => other.id !== id)),
        () => remove(id),
        t('Failed to remove it'),
      ),
  };
}
