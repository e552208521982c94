import type { QueryClient } from '@tanstack/react-query';
import { FIRST_LIST, inboxListOptions, inboxStatsOptions } from '../../inbox/list/queries.ts';
import { wasAskedEarly } from '../../lib/server/early.ts';

/** The maximum time the first render waits for responses: about as long as a render without them takes. Milliseconds. */
const PATIENCE_MS = 40;

/**
 * Puts the responses to the requests of public/early.js into the cache. Most have already arrived, so the page renders once, with
 * its rows, instead of first without them.
 */
export async function takeEarlyResponses(client: QueryClient): Promise<void> {
  if (!wasAskedEarly()) return;
  // Errors are shown where the data is used.
  const taken = Promise.all([
    client.prefetchInfiniteQuery(inboxListOptions(FIRST_LIST)),
    client.prefetchQuery(inboxStatsOptions),
  ]);
  await Promise.race([taken, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}
