import { vi } from 'vitest';
import type { createRecentEvents } from '../../app/live/recent-events.ts';
import type { applyChange, putInList } from '../../inbox/list/cache.ts';
import type { createEventOrder } from '../../lib/server/event-order.ts';
import type { patchQueries, patchQuery } from '../../lib/server/patch-queries.ts';
import type { addMessage } from '../../messaging/messages/cache.ts';
import { type ConsoleCode, loadConsoleCode } from './console-code.ts';

type Original = <T>() => Promise<T>;
/** Creates replacements for some of a module's exports. `original` imports the real module. */
type Parts = (original: Original) => Promise<Record<string, unknown>>;

const INBOX_CACHE = '../../inbox/list/cache.ts';
const THREAD_CACHE = '../../messaging/messages/cache.ts';
const EVENT_ORDER = '../../lib/server/event-order.ts';

const ignored = () => undefined;

/** Faults to put into the app, by name. Each lists the exports that it replaces, by module path. */
export const BROKEN: Readonly<Record<string, Readonly<Record<string, Parts>>>> = {
  'counts unread messages itself': {
    [INBOX_CACHE]: async () => ({
      applyChange: ((held, change) => {
        const { unread_count = held.unread_count } = change;
        const counted = held.unread_count + Math.sign(unread_count - held.unread_count);
        return { ...held, ...change, unread_count: counted };
      }) as typeof applyChange,
    }),
  },
  'applies older states': {
    [INBOX_CACHE]: async (original) => {
      const cache = await original<typeof import('../../inbox/list/cache.ts')>();
      const put: typeof putInList = (list, view, arrived, before) =>
        cache.putInList(cache.removeFromList(list, arrived.id), view, arrived, before);
      const change: typeof applyChange = (held, arrived) => ({ ...held, ...arrived });
      return {
        putInList: put,
        applyChange: change,
        newerOf: (_: object, arrived: object) => arrived,
      };
    },
  },
  'shows a message once per event': {
    [THREAD_CACHE]: async () => ({
      addMessage: ((thread, message, version) => ({
        ...thread,
        messages: [...thread.messages, { ...message, version: version ?? 0 }],
      })) as typeof addMessage,
    }),
  },
  'ignores gaps in a sequence': {
    [THREAD_CACHE]: async () => ({ newestSeq: () => Number.POSITIVE_INFINITY }),
    [EVENT_ORDER]: async (original) => {
      const order = await original<typeof import('../../lib/server/event-order.ts')>();
      const create: typeof createEventOrder = (options) =>
        order.createEventOrder({ ...options, onGap: ignored });
      return { createEventOrder: create };
    },
  },
  'does not refresh after a reconnect': {
    '../../app/live/refresh-occasions.ts': async () => ({ watchOccasions: () => ignored }),
  },
  'trusts responses that are older than events': {
    '../../app/live/recent-events.ts': async (original) => {
      const recent = await original<typeof import('../../app/live/recent-events.ts')>();
      const create: typeof createRecentEvents = (client, adminId) => ({
        ...recent.createRecentEvents(client, adminId),
        correct: ignored,
      });
      return { createRecentEvents: create };
    },
  },
  'forgets that a hidden list must be refetched': {
    '../../lib/server/patch-queries.ts': async () => {
      const patch: typeof patchQuery = (client, queryKey, update) => {
        const data = client.getQueryData(queryKey);
        if (data !== undefined) client.setQueryData(queryKey, update(data as never));
      };
      const patchAll: typeof patchQueries = (client, filters, update) => {
        for (const { queryKey } of client.getQueryCache().findAll(filters))
          patch(client, queryKey, update);
      };
      return { patchQuery: patch, patchQueries: patchAll };
    },
  },
  'retries a send without an id': {
    '../../lib/server/api.ts': async (original) => {
      const { call, ...api } = await original<typeof import('../../lib/server/api.ts')>();
      const callWithoutKey = (endpoint: never, options?: object) =>
        (call as (endpoint: never, options: object) => unknown)(endpoint, {
          ...options,
          headers: {},
        });
      return { ...api, call: callWithoutKey };
    },
  },
};

/** Loads the app with one of the faults. */
export async function loadBrokenCode(name: string): Promise<ConsoleCode> {
  const modules = Object.entries(BROKEN[name] ?? {});
  for (const [path, parts] of modules) {
    vi.doMock(path, async (original) => ({
      ...(await original<object>()),
      ...(await parts(original)),
    }));
  }
  try {
    return await loadConsoleCode();
  } finally {
    for (const [path] of modules) vi.doUnmock(path);
  }
}
