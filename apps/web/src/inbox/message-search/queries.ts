import {
  MESSAGE_SEARCH_MIN_CHARS,
  type MessageHitPage,
  type MessageSide,
  type SearchedKind,
  searchMessages,
} from '@stagedoor/contract/inbox/message-search';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';

/** A found message or staff note. */
export type Hit = MessageHitPage['data'][number];

/** Returns the id of the message or note. */
export const hitId = (hit: Hit): string => (hit.kind === 'note' ? hit.note_id : hit.message_id);

/** The search text and filters, as in the dialog's fields. */
export interface MessageSearch {
  text: string;
  kind: SearchedKind;
  /** Limits the search to one fan. */
  fan: { id: string; name: string } | null;
  /** A library tag's id; empty for any fan. */
  tag: string;
  from: MessageSide | '';
  attachment: 'true' | 'false' | '';
  /** Dates as in date fields; empty for no limit. */
  firstDay: string;
  lastDay: string;
}

export const EMPTY_SEARCH: MessageSearch = {
  text: '',
  kind: 'any',
  fan: null,
  tag: '',
  from: '',
  attachment: '',
  firstDay: '',
  lastDay: '',
};

/** Returns the local midnight at the start of a day, or of the day `days` days later. */
function midnight(day: string, days = 0): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + days);
  return day === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** Returns the query for the server, or null if the text is too short. */
export function queryOf(search: MessageSearch) {
  const q = search.text.trim();
  if ([...q].length < MESSAGE_SEARCH_MIN_CHARS) return null;
  return {
    q,
    kind: search.kind,
    fan: search.fan?.id,
    tag: search.tag || undefined,
    from: search.from || undefined,
    has_attachment: search.attachment || undefined,
    after: midnight(search.firstDay),
    before: midnight(search.lastDay, 1),
  };
}

type Query = ReturnType<typeof queryOf>;

/** Returns the query for a search's hits, newest first, page by page. Opening the dialog again refetches them. */
export const hitsOptions = (query: Query) =>
  infiniteQueryOptions({
    queryKey: ['messageSearch', query],
    queryFn: ({ pageParam, signal }) =>
      call(searchMessages, { query: { ...query, q: query?.q ?? '', ...pageParam }, signal }),
    ...byCursor,
    placeholderData: keepPreviousData,
    enabled: query !== null,
    staleTime: 0,
  });
