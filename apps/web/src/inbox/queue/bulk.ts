import { type BulkAction, type BulkResult, bulk } from '@stagedoor/contract/inbox/bulk';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { call } from '../../lib/server/api.ts';
import type { QueueScreen } from './actions.ts';

/** A bulk action and the conversations it applies to. */
export interface BulkStep {
  readonly ids: readonly string[];
  readonly action: BulkAction;
}

const OPPOSITES = {
  claim: 'release',
  release: 'claim',
  archive: 'unarchive',
  unarchive: 'archive',
  flag: 'unflag',
  unflag: 'flag',
  read: 'unread',
  unread: 'read',
  add_tag: 'remove_tag',
  remove_tag: 'add_tag',
} as const satisfies Partial<Record<BulkAction['kind'], BulkAction['kind']>>;

/**
 * Returns the steps that undo an action on the conversations that it changed.
 * @param before returns the conversation as it was
 */
export function undoOf(
  { ids, action }: BulkStep,
  before: (id: string) => Conversation | null,
): BulkStep[] {
  if (action.kind === 'assign') return [{ ids, action: { kind: 'unassign' } }];
  // Each conversation gets its previous snooze back.
  if (action.kind === 'snooze') {
    const by = new Map<string | null, string[]>();
    for (const id of ids) {
      const snooze = before(id)?.snooze;
      const until = snooze ? snooze.until : 'awake';
      by.set(until, [...(by.get(until) ?? []), id]);
    }
    return [...by].map(([until, some]) => ({
      ids: some,
      action: until === 'awake' ? { kind: 'unsnooze' } : { kind: 'snooze', until },
    }));
  }
  if (!(action.kind in OPPOSITES)) return [];
  const kind = OPPOSITES[action.kind as keyof typeof OPPOSITES];
  return [{ ids, action: { ...action, kind } as BulkAction }];
}

/** Runs actions one after the other and shows the results. */
export async function runBulk(
  { client, board }: QueueScreen,
  steps: readonly BulkStep[],
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const { ids, action } of steps) {
    const { data } = await call(bulk, { body: { ids: [...ids], action } });
    for (const { conversation } of data) if (conversation !== null) board.show(conversation);
    results.push(...data);
  }
  await client.invalidateQueries({ queryKey: ['inbox', 'stats'] });
  return results;
}
