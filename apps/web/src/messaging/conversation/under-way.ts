import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import type { ActionFields } from './actions.ts';

/** The pending actions on one conversation, oldest first. */
interface Queue {
  last: Promise<void>;
  readonly outcomes: ActionFields[];
}

const queuesOf = new WeakMap<QueryClient, Map<string, Queue>>();

/**
 * Runs an action on a conversation after all earlier ones, so that each starts from the state the previous one left.
 * @param outcome how the action changes the conversation: shown until `work` calls `onSettled`
 */
export function doInTurn(
  client: QueryClient,
  id: string,
  outcome: ActionFields,
  work: (onSettled: () => void) => Promise<void>,
): void {
  const queues = queuesOf.get(client) ?? new Map<string, Queue>();
  queuesOf.set(client, queues);
  const queue = queues.get(id) ?? { last: Promise.resolve(), outcomes: [] };
  queues.set(id, queue);
  queue.outcomes.push(outcome);
  const onSettled = () => void queue.outcomes.splice(queue.outcomes.indexOf(outcome), 1);
  queue.last = queue.last.then(() => work(onSettled));
}

/** Returns a conversation with the outcomes of all pending actions applied, because the server's state may predate them. */
export function withUnderWay(client: QueryClient, conversation: Conversation): Conversation {
  const outcomes = queuesOf.get(client)?.get(conversation.id)?.outcomes ?? [];
  return outcomes.length === 0 ? conversation : Object.assign({}, conversation, ...outcomes);
}
