import { type BulkAction, type BulkResult, bulk } from '@stagedoor/contract/inbox/bulk';
import { call } from '../../lib/server/api.ts';
import { inboxKeys } from '../list/queries.ts';
import type { QueueScreen } from './actions.ts';

const OPPOSITES = {
  claim: 'release',
  release: 'claim',
  archive: 'unarchive',
  unarchive: 'archive',
  add_tag: 'remove_tag',
  remove_tag: 'add_tag',
} as const satisfies Record<BulkAction['kind'], BulkAction['kind']>;

/** What takes an action back, of those conversations that it changed. */
export function oppositeOf(action: BulkAction): BulkAction {
  return { ...action, kind: OPPOSITES[action.kind] } as BulkAction;
}

/** Does the same with all of them, and shows what came of it. */
export async function runBulk(
  { client, board }: QueueScreen,
  ids: readonly string[],
  action: BulkAction,
): Promise<BulkResult[]> {
  const { data } = await call(bulk, { body: { ids: [...ids], action } });
  for (const { conversation } of data) if (conversation !== null) board.show(conversation);
  await client.invalidateQueries({ queryKey: inboxKeys.stats });
  return data;
}
