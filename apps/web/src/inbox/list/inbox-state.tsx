import type { InboxFilter, InboxSort } from '@stagedoor/contract/inbox/conversations';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { useProvided } from '../../lib/use-provided.ts';
import { FIRST_LIST, type InboxListParams, searchQueryOf } from './queries.ts';
import { useCurrentTag } from './use-current-tag.ts';

/** Milliseconds without typing before the search starts. */
const SEARCH_DELAY_MS = 200;

/** The user's choice of tab, order, filters and search text. */
export interface InboxChoice {
  filter: InboxFilter;
  /** Null until a sort order is chosen: each tab has its own default. */
  sort: InboxSort | null;
  tag: TagFilter | null;
  /** A segment's id. */
  segment: string | null;
  /** The text of the search field. */
  text: string;
}

interface InboxState extends Omit<InboxChoice, 'sort'> {
  /** The list that is shown while there is no search. */
  params: InboxListParams;
  /** The search that replaces the list, or null. */
  searched: string | null;
  /** Identifies the list or search. */
  listKey: string;
}

/** The default orders. 'All' is not `unread_first`, because a conversation would leave the top once it is answered. */
const DEFAULT_SORT = {
  unread: FIRST_LIST.sort,
  mine: 'unread_first',
  all: 'newest',
  archived: 'unread_first',
} as const;

const FIRST_CHOICE: InboxChoice = { ...FIRST_LIST, sort: null, tag: null, text: '' };

const StateContext = createContext<InboxState | null>(null);
const ChangeContext = createContext<(part: Partial<InboxChoice>) => void>(() => undefined);

/** Provides the inbox state to its children: the list or search to show, and how to change it. */
export function InboxStateProvider({ children }: { children: ReactNode }) {
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const { filter, sort, segment, text } = choice;
  const settledText = useDebounced(text, SEARCH_DELAY_MS);
  // A text that is too short ends the search immediately; a longer one starts it when typing pauses.
  const searched = searchQueryOf(text) && searchQueryOf(settledText);
  const tag = useCurrentTag(choice.tag);
  const state = useMemo(() => {
    const params: InboxListParams = {
      filter,
      sort: filter === 'needs_reply' ? 'longest_waiting' : (sort ?? DEFAULT_SORT[filter]),
      tag: tag?.tag ?? null,
      segment,
    };
    const listKey = searched === null ? Object.values(params).join(' ') : `search ${searched}`;
    return { filter, tag, segment, text, params, searched, listKey };
  }, [filter, sort, tag, segment, text, searched]);
  const [change] = useState(
    () => (part: Partial<InboxChoice>) => setChoice((held) => ({ ...held, ...part })),
  );
  return (
    <ChangeContext value={change}>
      <StateContext value={state}>{children}</StateContext>
    </ChangeContext>
  );
}

/** Returns the list or search that the inbox shows. */
export const useInboxState = () => useProvided(StateContext);

/** Returns the function that changes the {@link InboxChoice}. Stable across renders. */
export const useChangeInbox = () => useContext(ChangeContext);
