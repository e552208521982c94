import { setTimeout as sleep } from 'node:timers/promises';
import { INBOX_PAGE_SIZE } from '@stagedoor/contract/inbox/conversations';
import type { Message } from '@stagedoor/contract/messaging/messages';
import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import { InfiniteQueryObserver, QueryObserver } from '@tanstack/react-query';
import type { InboxList } from '../../apps/web/src/inbox/list/queries.ts';
import { becomeBrowser } from './browser.ts';
import type { Client, Outcome, StoredWorld } from './client.ts';

const POLL_MS = 10;
/** Delay before a retry when the console has given up connecting, as if a person pressed Retry. Milliseconds. */
const RETRY_MS = 1_000;
const LISTS = [
  { filter: 'all', sort: 'newest', tag: null, segment: null },
  { filter: 'unread', sort: 'longest_waiting', tag: null, segment: null },
] as const;

interface Session {
  readonly token: string;
  readonly admin: SignedInAdmin;
}

/** A console tab that runs the real code (socket, sender, live cache) with the inbox and every conversation open. */
export interface ConsoleTab extends Client {
  /** Loads the inbox and the conversations. @throws ApiError */
  open(conversations: readonly string[]): Promise<void>;
  /** Returns the id of the newest fan message that the tab shows. */
  newestFanMessage(conversation: string): string | null;
}

/** Opens tabs that share one session, because the console's code supports only one per process. @param url the console's URL */
export async function openConsoleTabs(
  names: readonly string[],
  url: string,
  session: Session,
): Promise<ConsoleTab[]> {
  becomeBrowser(url);
  const { startSession } = await import('../../apps/web/src/lib/server/session.ts');
  startSession(session.token, session.admin);
  return Promise.all(names.map((name) => openTab(name, session.admin.id)));
}

async function openTab(name: string, adminId: string): Promise<ConsoleTab> {
  const { createSocket } = await import('../../apps/web/src/lib/server/socket.ts');
  const { createSender } = await import('../../apps/web/src/messaging/messages/sender.ts');
  const { createLiveCache } = await import('../../apps/web/src/app/live/live-cache.ts');
  const { createQueryClient } = await import('../../apps/web/src/app/live/query-client.ts');
  const threads = await import('../../apps/web/src/messaging/messages/queries.ts');
  const { newTempId } = await import('../../apps/web/src/messaging/messages/outbox.ts');
  const inbox = await import('../../apps/web/src/inbox/list/queries.ts');
  const { getToken } = await import('../../apps/web/src/lib/server/session.ts');

  const client = createQueryClient();
  const socket = createSocket({
    onEvent: (event, payload) => live.receive(event, payload),
    onUnauthorized: () => undefined,
  });
  const sender = createSender({ client, socket });
  const live = createLiveCache({ client, adminId, sender });
  const stops = [
    live.start(),
    socket.subscribe(() => {
      const { status } = socket.getConnection();
      if (status === 'connected') live.refreshSoon();
      if (status === 'failed') setTimeout(socket.retry, RETRY_MS);
    }),
  ];
  let shown: readonly string[] = [];
  socket.connect(getToken());

  const outboxOf = (id: string) => client.getQueryData(threads.outboxOptions(id).queryKey);

  function differencesOf(id: string, messages: readonly { id: string; seq: number }[]): string[] {
    const held = threads.threadIn(client, id)?.messages ?? [];
    const stored = messages.slice(-held.length || messages.length);
    if (held.length === 0 && messages.length > 0) return [`${name}: nothing of ${id}`];
    return held.flatMap(({ version: _version, ...message }, index) => {
      const expected = stored[index];
      if (JSON.stringify(message, withoutLinks) === JSON.stringify(expected, withoutLinks))
        return [];
      return [`${name}: message ${expected?.seq} of ${id}: ${changed(message, expected)}`];
    });
  }

  return {
    name,
    kind: 'console',
    senders: 2,
    pauseMs: 60,
    async open(conversations) {
      shown = conversations;
      for (const params of LISTS) {
        const options = inbox.inboxListOptions(params);
        stops.push(new InfiniteQueryObserver(client, options).subscribe(() => undefined));
        await client.ensureInfiniteQueryData(options);
      }
      stops.push(new QueryObserver(client, inbox.inboxStatsOptions).subscribe(() => undefined));
      for (const id of conversations) {
        const both = [threads.conversationOptions(id), threads.threadOptions(id)] as const;
        stops.push(new QueryObserver(client, both[0]).subscribe(() => undefined));
        stops.push(new QueryObserver(client, both[1]).subscribe(() => undefined));
        await client.ensureQueryData(both[0]);
        await client.ensureQueryData(both[1]);
      }
    },
    newestFanMessage(conversation) {
      const messages: readonly Message[] = threads.threadIn(client, conversation)?.messages ?? [];
      return messages.findLast(({ author }) => author === null)?.id ?? null;
    },
    async send(conversation_id, content): Promise<Outcome> {
      const tempId = newTempId();
      const message = { conversation_id, content, replyTo: null, tempId };
      // Like the composer, sends one message at a time per conversation.
      while (!sender.send(message)) await sleep(POLL_MS);
      for (;;) {
        const outbox = outboxOf(conversation_id);
        const pending = outbox?.pending.find((held) => held.tempId === tempId);
        if (pending?.status === 'failed') return { failed: pending.error };
        if (pending === undefined) {
          const [id] =
            Object.entries(outbox?.tempIds ?? {}).find(([, temp]) => temp === tempId) ?? [];
          return id === undefined ? { failed: 'given up' } : { id };
        }
        await sleep(POLL_MS);
      }
    },
    async differences({ messages }: StoredWorld) {
      const fresh = createQueryClient();
      const found = shown.flatMap((id) => differencesOf(id, messages.get(id) ?? []));
      const compare = (what: string, held: unknown, now: unknown) => {
        if (JSON.stringify(held) === JSON.stringify(now)) return;
        found.push(`${name}: ${what}: ${changed(held, now)}`);
      };
      for (const params of LISTS) {
        const options = inbox.inboxListOptions(params);
        const list = client.getQueryData(options.queryKey);
        const held = rowsOf(list);
        // Fetches as many pages as the rows fill, because events add rows to the pages that were loaded.
        const pages = Math.max(1, Math.ceil(held.length / INBOX_PAGE_SIZE));
        const rows = rowsOf(await fresh.fetchInfiniteQuery({ ...options, pages }));
        const isPart = list?.pages.at(-1)?.next_cursor != null;
        const expected = isPart ? rows.slice(0, held.length) : rows;
        compare(`the list '${params.filter}'`, held, expected);
      }
      for (const id of shown) {
        const options = threads.conversationOptions(id);
        const now = await fresh.fetchQuery(options);
        compare(`the conversation ${id}`, client.getQueryData(options.queryKey), now);
      }
      const stats = await fresh.fetchQuery(inbox.inboxStatsOptions);
      compare('the figures', client.getQueryData(inbox.inboxStatsOptions.queryKey), stats);
      fresh.clear();
      return found;
    },
    close() {
      for (const stop of stops) stop();
      socket.disconnect();
      client.clear();
    },
  };
}

const rowsOf = (list: Pick<InboxList, 'pages'> | undefined) =>
  list?.pages.flatMap(({ data }) => data) ?? [];

/** Leaves out the links to files in `JSON.stringify`, because each fetch signs new ones. */
const withoutLinks = (key: string, value: unknown) => (/(^|_)url$/.test(key) ? undefined : value);

/** Describes which fields differ, with both values. */
function changed(held: unknown, now: unknown): string {
  const [left, right] = [held, now] as (Record<string, unknown> | undefined)[];
  if (left === undefined || right === undefined)
    return left === undefined ? 'missing' : 'unexpected';
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names
    .filter((field) => JSON.stringify(left[field]) !== JSON.stringify(right[field]))
    .map((field) => {
      const [a, b] = [left[field], right[field]].map((value) => JSON.stringify(value) ?? 'nothing');
      return `${field} is ${a?.slice(0, 300)}, should be ${b?.slice(0, 300)}`;
    })
    .join('; ');
}
