import { type BulkAction, type BulkResult, bulk } from '@stagedoor/contract/inbox/bulk';
import { call } from '../../lib/server/api.ts';
import type { QueueScreen } from './actions.ts';

const OPPOSITES = {
  claim: 'release',
  release: 'claim',
  archive: 'unarchive',
  unarchive: 'archive',
  flag: 'unflag',
  unflag: 'flag',
  add_tag: 'remove_tag',
  remove_tag: 'add_tag',
} as const satisfies Partial<Record<BulkAction['kind'], BulkAction['kind']>>;

/** Returns the action that undoes another one; null for an assignment, which only the assignee and managers may release. */
export function oppositeOf(action: BulkAction): BulkAction | null {
  if (action.kind === 'assign') return null;
  return { ...action, kind: OPPOSITES[action.kind] } as BulkAction;
}

/** Runs an action on all conversations and shows the results. */
export async function runBulk(
  { client, board }: QueueScreen,
  ids: readonly string[],
  action: BulkAction,
): Promise<BulkResult[]> {
  const { data } = await call(bulk, { body: { ids: [...ids], action } });
  for (const { conversation } of data) if (conversation !== null) board.show(conversation);
  await client.invalidateQueries({ queryKey: ['inbox', 'stats'] });
  return data;
}
