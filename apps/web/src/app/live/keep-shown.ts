import type { Query, QueryClient } from '@tanstack/react-query';
import type { InboxList } from '../../inbox/list/queries.ts';
import { ApiError } from '../../lib/server/api.ts';
import {
  eraseAnswers,
  keepAnswers,
  keptAnswer,
  pruneAnswers,
} from '../../lib/server/kept-answers.ts';
import { getSession, subscribeSession } from '../../lib/server/session.ts';
import type { Thread } from '../../messaging/messages/cache.ts';

/** The delay before changed data is stored. All changes during the delay are stored together. Milliseconds. */
const KEEP_AFTER_MS = 1_000;
/** The number of responses kept when old ones are deleted: inbox lists, and opened conversations with their messages. */
const MOST_ANSWERS = 60;
/** The maximum number of rows stored per list. The first page grows with every conversation that moves to the top. */
const MOST_ROWS = 50;
/** The maximum number of messages stored per conversation. The newest are stored. */
const MOST_MESSAGES = 50;

/** Returns the part of a query's data that is worth storing for offline use; undefined if nothing is. */
function worthKeeping({ queryKey, state: { data } }: Query): unknown {
  const [scope, part, detail] = queryKey;
  if (data === undefined) return undefined;
  if (scope === 'inbox' && part === 'stats') return data;
  if (scope === 'inbox' && part === 'list') {
    const { pages, pageParams } = data as InboxList;
    const first = pages
      .slice(0, 1)
      .map((page) => ({ ...page, data: page.data.slice(0, MOST_ROWS) }));
    return { pages: first, pageParams: pageParams.slice(0, 1) };
  }
  if (scope !== 'conversation') return undefined;
  if (detail === undefined) return data;
  if (detail !== 'messages') return undefined;
  const { messages, has_more, version } = data as Thread;
  const kept = messages.slice(-MOST_MESSAGES);
  return { messages: kept, has_more: has_more || kept.length < messages.length, version };
}

const keyOf = ({ queryKey }: Query) => JSON.stringify(queryKey);

/** Returns whether a query has no data because the server could not be reached. */
const isCutOff = ({ state: { data, error, status } }: Query) =>
  status === 'error' && data === undefined && error instanceof ApiError && error.status === 0;

/**
 * Stores this admin's latest inbox and conversation data, and shows it while offline. Erases it when the session ends.
 * @returns a function that stops this
 */
export function keepShown(client: QueryClient, adminId: string): () => void {
  const cache = client.getQueryCache();
  // Nothing observes this key, so it must not be garbage-collected.
  client.setQueryDefaults(['kept'], { gcTime: Number.POSITIVE_INFINITY });
  const changed = new Map<string, Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function keep(): Promise<void> {
    const savedAt = Date.now();
    const answers = [...changed].flatMap(([key, query]) => {
      const data = worthKeeping(query);
      return data === undefined ? [] : [{ admin: adminId, key, data, savedAt }];
    });
    changed.clear();
    if (answers.length === 0 || getSession().status === 'signed_out') return;
    await keepAnswers(answers);
    await pruneAnswers(adminId, MOST_ANSWERS);
  }

  function keepSoon(query: Query): void {
    changed.set(keyOf(query), query);
    timer ??= setTimeout(() => {
      timer = undefined;
      keep().catch((error: unknown) => console.info('Failed to store offline data', error));
    }, KEEP_AFTER_MS);
  }

  async function showKept(query: Query): Promise<void> {
    const kept = await keptAnswer(adminId, keyOf(query));
    if (kept === undefined || !isCutOff(query)) return;
    client.setQueryData(query.queryKey, kept.data, { updatedAt: kept.savedAt });
    // Marked stale, so that it is refetched once the connection is back.
    query.invalidate();
    client.setQueryData(['kept'], true);
  }

  function lookAt(query: Query): void {
    const [scope] = query.queryKey;
    if (scope !== 'inbox' && scope !== 'conversation') return;
    if (isCutOff(query)) {
      showKept(query).catch((error: unknown) => console.info('Failed to read offline data', error));
    } else if (query.state.status === 'success') keepSoon(query);
  }

  for (const query of cache.getAll()) lookAt(query);
  const stopCache = cache.subscribe((event) => {
    if (event.type !== 'updated') return;
    const { type } = event.action;
    if (type !== 'success' && type !== 'error') return;
    lookAt(event.query);
    // The server can be reached again.
    if (type === 'success' && event.action.manual !== true && client.getQueryData(['kept'])) {
      client.setQueryData(['kept'], false);
    }
  });
  const stopSession = subscribeSession(() => {
    if (getSession().status !== 'signed_out') return;
    clearTimeout(timer);
    changed.clear();
    eraseAnswers().catch((error: unknown) => console.error('Failed to erase offline data', error));
  });
  return () => {
    stopCache();
    clearTimeout(timer);
    // Removed later: the end of the session triggers this cleanup, but the session listener must still run.
    setTimeout(stopSession);
  };
}
