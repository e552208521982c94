import {
  MESSAGE_SEARCH_MIN_CHARS,
  type MessageSide,
  searchMessages,
} from '@stagedoor/contract/inbox/message-search';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** What all messages are searched for, as the fields of the dialog have it. */
export interface MessageSearch {
  text: string;
  /** Only of one fan: their id, and what they are called. */
  fan: { id: string; name: string } | null;
  /** A library tag's id; empty for any fan. */
  tag: string;
  from: MessageSide | '';
  attachment: 'true' | 'false' | '';
  /** Days as date fields have them; empty for no bound. */
  firstDay: string;
  lastDay: string;
}

export const EMPTY_SEARCH: MessageSearch = {
  text: '',
  fan: null,
  tag: '',
  from: '',
  attachment: '',
  firstDay: '',
  lastDay: '',
};

/** The viewer's midnight at which a day begins, or so many days later. */
function midnight(day: string, later = 0): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + later);
  return day === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** What the server is asked, or null where the text is too short to ask for anything. */
export function queryOf(search: MessageSearch) {
  const q = search.text.trim();
  if ([...q].length < MESSAGE_SEARCH_MIN_CHARS) return null;
  return {
    q,
    fan: search.fan?.id,
    tag: search.tag || undefined,
    from: search.from || undefined,
    has_attachment: search.attachment || undefined,
    after: midnight(search.firstDay),
    before: midnight(search.lastDay, 1),
  };
}

type Query = ReturnType<typeof queryOf>;

/** The hits of a search, page by page, the newest first. Each opening asks again. */
export const hitsOptions = (query: Query) =>
  infiniteQueryOptions({
    queryKey: ['message search', query],
    queryFn: ({ pageParam, signal }) =>
      call(searchMessages, { query: { ...query, q: query?.q ?? '', ...pageParam }, signal }),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ next_cursor }) => (next_cursor === null ? null : { cursor: next_cursor }),
    placeholderData: keepPreviousData,
    enabled: query !== null,
    staleTime: 0,
  });
