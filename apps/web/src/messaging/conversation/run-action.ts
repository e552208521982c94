import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import type { QueryClient } from '@tanstack/react-query';
import { errorText } from '../../lib/server/api.ts';
import { useCached } from '../../lib/server/use-cached.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { hideProblem, showProblem } from '../../ui/overlay/toast.ts';
import type { Board } from '../messages/board.ts';
import { ACTIONS, type Action, outcomeOf, perform, revertOf } from './actions.ts';

interface FailedAction {
  action: Action;
  text: string;
}

/** Stores a conversation's failed action until it is retried, even after the conversation is left. */
function setFailed(client: QueryClient, id: string, failed: FailedAction | null): void {
  const key = ['failedAction', id] as const;
  client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
  client.setQueryData(key, failed);
}

/** Returns a conversation's last failed action that was not retried, and re-renders when that changes. */
export function useFailedAction(id: string): FailedAction | null {
  return useCached<FailedAction | null>(['failedAction', id]) ?? null;
}

/** The dependencies that an action needs to run and to show its effect. */
export interface ActionScreen {
  client: QueryClient;
  board: Board;
  admin: SignedInAdmin;
}

/** Runs an action on a conversation. Its effect shows at once, can be undone, and is reverted on failure. */
export function runAction(
  screen: ActionScreen,
  id: string,
  action: Action,
  { offersUndo = true }: { offersUndo?: boolean } = {},
): Promise<void> {
  const { client, board, admin } = screen;
  const before = board.known(id);
  if (before === null) return Promise.resolve();
  const { done, failed: fallback, undo } = ACTIONS[action];
  const outcome = outcomeOf(action, admin);
  const name = displayName(before.fan);
  setFailed(client, id, null);
  hideProblem(id);
  return makeChange(client, {
    key: ['conversation', id],
    variables: outcome,
    show: () => {
      board.show({ ...before, ...outcome });
      return () => {
        const known = board.known(id);
        if (known) board.show({ ...known, ...revertOf(known, outcome, before) });
      };
    },
    save: () => perform(action, before),
    saved: async (after) => {
      board.show(after);
      await client.invalidateQueries({ queryKey: ['inbox', 'stats'] });
    },
    toast: offersUndo
      ? {
          text: done(name),
          onUndo: undo ? () => void runAction(screen, id, undo, { offersUndo: false }) : undefined,
        }
      : undefined,
    failed: (error) => {
      const text = errorText(error, fallback);
      setFailed(client, id, { action, text });
      const open = client.getQueryCache().find({ queryKey: ['conversation', id] });
      // If the conversation is open, its header shows the error.
      if (open?.isActive() !== true)
        showProblem({
          key: id,
          text: t('{name}: {problem}', { name, problem: text }),
          onRetry: () => void runAction(screen, id, action),
        });
      board.refresh(id).catch(() => undefined);
    },
  });
}
