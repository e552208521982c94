import { listMessages } from '@stagedoor/contract/messaging/messages';
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../lib/server/api.ts';
import { type Thread, threadOf } from '../messages/cache.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { type LoadedSpan, type SpanPage, type SpanParam, threadIn } from '../messages/queries.ts';

/** The number of messages per further page. Larger than the first page, because scrolling usually continues. */
const FURTHER_PAGE_SIZE = 100;

/** A message to show in its context. */
export interface Jump {
  messageId: string;
  /** Different for each jump, so that the same message can be jumped to again. */
  key: string;
}

const spanOptions = (id: string, messageId: string) =>
  infiniteQueryOptions<
    SpanPage,
    Error,
    LoadedSpan,
    readonly ['conversation', string, 'span', string],
    SpanParam
  >({
    queryKey: ['conversation', id, 'span', messageId],
    queryFn: async ({ pageParam, signal }) => {
      const limit = 'around' in pageParam ? {} : { limit: FURTHER_PAGE_SIZE };
      const query = { ...pageParam, ...limit };
      const page = await call(listMessages, { params: { id }, query, signal });
      return { ...threadOf(page), has_newer: page.has_newer };
    },
    initialPageParam: { around: messageId },
    getNextPageParam: ({ has_newer, messages }) => {
      const last = messages.at(-1);
      return has_newer && last ? { after: last.id } : null;
    },
    getPreviousPageParam: ({ has_more, messages: [first] }) =>
      has_more && first ? { before: first.id } : null,
    staleTime: Number.POSITIVE_INFINITY,
    // Unused spans are dropped, because they get no updates while hidden. The next jump refetches them.
    gcTime: 0,
    structuralSharing: false,
  });

const NOTHING: Thread = { messages: [], has_more: false, version: 0 };

/** Returns the messages around a message that was jumped to, and loads more on both sides. */
export function useSpan(id: string, messageId: string) {
  const query = useInfiniteQuery(spanOptions(id, messageId));
  const pages = query.data?.pages;
  const thread = useMemo<Thread>(
    () =>
      pages === undefined
        ? NOTHING
        : {
            messages: pages.flatMap(({ messages }) => messages),
            has_more: pages[0]?.has_more ?? false,
            version: Math.min(...pages.map(({ version }) => version)),
          },
    [pages],
  );
  return { ...query, thread, hasNewer: query.hasNextPage };
}

/** Returns whether a thread shows a message. The oldest loaded message is hidden if older messages exist. */
export function shows({ messages, has_more }: Thread, messageId: string): boolean {
  return messages.slice(has_more ? 1 : 0).some(({ id }) => id === messageId);
}

/**
 * Decides, once per jump, whether the message jumped to is shown among the newest messages or in its own context. Scrolls to the
 * message if it is among the newest.
 * @returns the message to show in its context; null if it is among the newest
 */
export function useJump(jump: Jump | null): string | null {
  const { id, thread: controls } = useOpenConversation();
  const client = useQueryClient();
  const decide = () => {
    const thread = threadIn(client, id) ?? NOTHING;
    return jump !== null && !shows(thread, jump.messageId) ? jump.messageId : null;
  };
  const [decided, setDecided] = useState(() => ({ key: jump?.key, around: decide() }));
  let { around } = decided;
  if (decided.key !== jump?.key) {
    around = decide();
    setDecided({ key: jump?.key, around });
  }
  const shown = useRef<string>(undefined);
  useEffect(() => {
    if (jump === null || around !== null || shown.current === jump.key) return;
    shown.current = jump.key;
    controls.current?.showMessage(jump.messageId);
  }, [jump, around, controls]);
  return around;
}
