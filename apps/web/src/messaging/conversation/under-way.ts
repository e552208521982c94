import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { QueryClient } from '@tanstack/react-query';
import type { ActionFields } from './actions.ts';

/** The pending actions on one conversation, oldest first. */
interface Lane {
  last: Promise<void>;
  readonly outcomes: ActionFields[];
}

const lanesOf = new WeakMap<QueryClient, Map<string, Lane>>();

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
  const lanes = lanesOf.get(client) ?? new Map<string, Lane>();
  lanesOf.set(client, lanes);
  const lane = lanes.get(id) ?? { last: Promise.resolve(), outcomes: [] };
  lanes.set(id, lane);
  lane.outcomes.push(outcome);
  const onSettled = () => void lane.outcomes.splice(lane.outcomes.indexOf(outcome), 1);
  lane.last = lane.last.then(() => work(onSettled));
}

/** Returns a conversation with the outcomes of all pending actions applied, because the server's state may predate them. */
export function withUnderWay(client: QueryClient, conversation: Conversation): Conversation {
  const outcomes = lanesOf.get(client)?.get(conversation.id)?.outcomes ?? [];
  return outcomes.length === 0 ? conversation : Object.assign({}, conversation, ...outcomes);
}
