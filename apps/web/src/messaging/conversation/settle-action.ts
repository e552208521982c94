import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../lib/server/query-keys.ts';
import type { Board } from '../messages/board.ts';
import { type Action, type ActionFields, perform, revertOf } from './actions.ts';

interface ShownAction {
  client: QueryClient;
  board: Board;
  action: Action;
  /** The optimistic change that is already shown. */
  outcome: ActionFields;
  /** The conversation before the change. */
  before: Conversation;
  /** Called when the server has answered, before the answer is shown. */
  onSettled: () => void;
}

/** Performs an action that is already shown. On failure, reverts what is shown and rethrows. */
export async function settleAction(shown: ShownAction): Promise<void> {
  const { client, board, action, outcome, before, onSettled } = shown;
  try {
    const after = await perform(action, before).finally(onSettled);
    board.show(after);
    await client.invalidateQueries({ queryKey: queryKeys.inbox.stats });
  } catch (error) {
    const known = board.known(before.id);
    if (known) board.show({ ...known, ...revertOf(known, outcome, before) });
    throw error;
  }
}
