import type { QueryClient } from '@tanstack/react-query';
import { FIRST_LIST, inboxListOptions, inboxStatsOptions } from '../../inbox/list/queries.ts';
import { wasAskedEarly } from '../../lib/server/early.ts';

/** The first render waits for answers no longer than this: about what rendering without them takes. Milliseconds. */
const PATIENCE_MS = 40;

/**
 * Puts the answers to what was asked while the scripts loaded into the cache. Mostly they are there first, and the page is
 * then rendered once, with its rows, instead of without them and again.
 */
export async function takeWhatIsThere(client: QueryClient): Promise<void> {
  if (!wasAskedEarly()) return;
  // What fails shows where it is used.
  const taken = Promise.all([
    client.prefetchInfiniteQuery(inboxListOptions(FIRST_LIST)),
    client.prefetchQuery(inboxStatsOptions),
  ]);
  await Promise.race([taken, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
