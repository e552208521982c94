import type { FanStatement } from '@stagedoor/contract/fans/statements';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { patchQueries } from '../../lib/server/patch-queries.ts';
import { t } from '../../lib/text/i18n.ts';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { remove, type StatementsChange, saveChange } from './queries.ts';

export const refreshStatements = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['statements'] });

interface Failure {
  text: string;
  retry: () => void;
}

/** Marks promises as done and removes statements. Changes show at once and are reverted on failure. */
export function useStatements() {
  const client = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);

  /** @param fallback the error text if the server gives none */
  function change(shown: StatementsChange, save: () => Promise<void>, fallback: string): void {
    setFailure(null);
    const refresh = () => refreshStatements(client);
    void makeChange(client, {
      key: ['statements'],
      variables: shown,
      show: () => {
        // A response requested earlier would show the old state.
        void client.cancelQueries({ queryKey: ['statements'] });
        patchQueries<FanStatement[]>(client, { queryKey: ['statements'] }, shown);
        return refresh;
      },
      save,
      saved: refresh,
      failed: (error) => {
        // Someone else already removed it, which is the desired result.
        if (error instanceof ApiError && error.code === 'statement_not_found') return;
        setFailure({
          text: errorText(error, fallback),
          retry: () => change(shown, save, fallback),
        });
      },
    });
  }

  return {
    failure,
    setDone: ({ id }: FanStatement, done: boolean) => {
      const done_at = done ? new Date().toISOString() : null;
      change(
        (statements) =>
          statements.map((other) => (other.id === id ? { ...other, done_at } : other)),
        () => saveChange(id, { done }),
        t('Couldn’t save the promise'),
      );
    },
    remove: ({ id }: FanStatement) =>
      change(
        (statements) => statements.filter((other) => other.id !== id),
        () => remove(id),
        t('Couldn’t remove it'),
      ),
  };
}
