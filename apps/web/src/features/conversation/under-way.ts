import type { Conversation } from '@stagedoor/contract/conversations';
import type { QueryClient } from '@tanstack/react-query';
import type { ActionFields } from './actions.ts';

/** What is under way with one conversation, in the order in which it was begun. */
interface Lane {
  last: Promise<void>;
  readonly outcomes: ActionFields[];
}

const lanesOf = new WeakMap<QueryClient, Map<string, Lane>>();

/**
 * Does something with a conversation once all that was begun before is done: each action is judged by the state that the one
 * before left.
 * @param outcome what it makes of the conversation: shown until `work` says that it is settled
 */
export function doInTurn(
  client: QueryClient,
  id: string,
  outcome: ActionFields,
  work: (onSettled: () => void) => Promise<void>,
): void {
  const lanes = lanesOf.get(client) ?? new Map<string, Lane>();
  lanesOf.set(client, lanes);
  const lane = lanes.get(id) ?? { last: Promise.resolve(), outcomes: [] };
  lanes.set(id, lane);
  lane.outcomes.push(outcome);
  const onSettled = () => void lane.outcomes.splice(lane.outcomes.indexOf(outcome), 1);
  lane.last = lane.last.then(() => work(onSettled));
}

/** A conversation with the outcome of everything under way: what the server says in the meantime may predate it. */
export function withUnderWay(client: QueryClient, conversation: Conversation): Conversation {
  const outcomes = lanesOf.get(client)?.get(conversation.id)?.outcomes ?? [];
  return outcomes.length === 0 ? conversation : Object.assign({}, conversation, ...outcomes);
}
