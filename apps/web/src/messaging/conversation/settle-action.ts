import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import { inboxKeys } from '../../inbox/list/queries.ts';
import type { Board } from '../messages/board.ts';
import { type Action, type ActionFields, perform, revertOf } from './actions.ts';

interface ShownAction {
  client: QueryClient;
  board: Board;
  action: Action;
  /** What was shown of it at once. */
  outcome: ActionFields;
  /** The conversation as it was before that. */
  before: Conversation;
  /** Called once the server has answered, before its answer is shown. */
  onSettled: () => void;
}

/** Does on the server what is shown already; a failure takes back what is shown, and is thrown on. */
export async function settleAction(shown: ShownAction): Promise<void> {
  const { client, board, action, outcome, before, onSettled } = shown;
  try {
    const after = await perform(action, before).finally(onSettled);
    board.show(after);
    await client.invalidateQueries({ queryKey: inboxKeys.stats });
  } catch (error) {
    const known = board.known(before.id);
    if (known) board.show({ ...known, ...revertOf(known, outcome, before) });
    throw error;
  }
}
