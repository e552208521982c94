import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { errorText } from '../../lib/api.ts';
import { useAdmin } from '../../lib/session.ts';
import { showToast } from '../../ui/toast.ts';
import { ACTIONS, type Action, outcomeOf } from './actions.ts';
import type { Board } from './board.ts';
import { settleAction } from './settle-action.ts';

export interface FailedAction {
  action: Action;
  text: string;
}

/** Does things with a conversation: they show at once, can be undone, and go back when they fail. */
export function useActions(id: string, board: Board) {
  const client = useQueryClient();
  const admin = useAdmin();
  const [failed, setFailed] = useState<FailedAction | null>(null);
  // One after the other: each is judged by the state that the one before left.
  const queue = useRef<Promise<void>>(Promise.resolve());

  const run = useCallback(
    (action: Action, { offersUndo = true }: { offersUndo?: boolean } = {}) => {
      const before = board.known(id);
      if (before === null) return;
      const { done, failed: fallback, undo } = ACTIONS[action];
      const outcome = outcomeOf(action, admin);
      setFailed(null);
      board.show({ ...before, ...outcome });
      const onUndo = undo === null ? undefined : () => run(undo, { offersUndo: false });
      showToast(offersUndo ? { text: done, onUndo } : null);
      const work = async () => {
        try {
          await settleAction({ client, board, action, outcome, before });
        } catch (error) {
          console.error(fallback, error);
          setFailed({ action, text: errorText(error, fallback) });
          showToast(null);
          await board.refresh(id).catch(() => undefined);
        }
      };
      queue.current = queue.current.then(work);
    },
    [id, board, admin, client],
  );
  return { run, failed };
}
