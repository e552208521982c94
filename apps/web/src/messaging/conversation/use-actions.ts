import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { queryKeys } from '../../lib/server/query-keys.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { useCached } from '../../lib/server/use-cached.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { hideProblem, hideToast, showProblem, showToast } from '../../ui/overlay/toast.ts';
import type { Board } from '../messages/board.ts';
import { ACTIONS, type Action, outcomeOf } from './actions.ts';
import { settleAction } from './settle-action.ts';
import { doInTurn } from './under-way.ts';

interface FailedAction {
  action: Action;
  text: string;
}

/** Stores a conversation's failed action until it is retried, even if other conversations are opened meanwhile. */
function setFailed(client: QueryClient, id: string, failed: FailedAction | null): void {
  client.setQueryDefaults(queryKeys.failedAction(id), { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData(queryKeys.failedAction(id), failed);
}

/** Returns a conversation's last failed action that was not retried, and re-renders when that changes. */
export function useFailedAction(id: string): FailedAction | null {
  return useCached<FailedAction | null>(queryKeys.failedAction(id)) ?? null;
}

/** Returns a function that runs an action: it shows at once, can be undone, and is reverted on failure. */
export function useActions(board: Board) {
  const client = useQueryClient();
  const admin = useAdmin();
  return useCallback(
    function run(id: string, action: Action, { offersUndo = true }: { offersUndo?: boolean } = {}) {
      const before = board.known(id);
      if (before === null) return;
      const { done, failed: fallback, undo } = ACTIONS[action];
      const outcome = outcomeOf(action, admin);
      const name = displayName(before.fan);
      setFailed(client, id, null);
      hideProblem(id);
      const onUndo = undo === null ? undefined : () => run(id, undo, { offersUndo: false });
      const toast = { text: done(name), onUndo };
      if (offersUndo) showToast(toast);
      doInTurn(client, id, outcome, async (onSettled) => {
        try {
          await settleAction({ client, board, action, outcome, before, onSettled });
        } catch (error) {
          console.error(fallback, error);
          const text = errorText(error, fallback);
          setFailed(client, id, { action, text });
          hideToast(toast);
          // If the conversation is open, its header shows the error.
          if (
            client
              .getQueryCache()
              .find({ queryKey: queryKeys.conversation.one(id) })
              ?.isActive() !== true
          )
            showProblem({
              key: id,
              text: t('{name}: {problem}', { name, problem: text }),
              onRetry: () => run(id, action),
            });
          await board.refresh(id).catch(() => undefined);
        }
      });
      board.show({ ...before, ...outcome });
    },
    [board, admin, client],
  );
}
