import type {
  Conversation,
  ConversationPage,
  ConversationState,
  InboxSort,
} from '@stagedoor/contract/inbox/conversations';
import type { InboxList, InboxListParams } from './queries.ts';

/** A change to a conversation, from an event: its id and version, and the changed fields. */
export type ConversationChange = Pick<ConversationState, 'id' | 'version'> &
  Partial<ConversationState>;

/** A list as one admin sees it: 'mine' depends on the admin. */
export interface ListView extends InboxListParams {
  adminId: string;
}

/**
 * A cached page. `end` is the page's last row as fetched: the next page continues after it, even if rows have moved since. `end` is
 * unset until an event first changes the list.
 */
interface CachedPage extends ConversationPage {
  end?: Conversation | null;
}

/** Returns the conversation with the change applied; unchanged if it is not older than the change. */
export function applyChange<C extends Conversation>(
  conversation: C,
  change: ConversationChange,
): C {
  return change.version > conversation.version ? { ...conversation, ...change } : conversation;
}

/** Returns the newer of a cached and a received conversation. */
export function newerOf(held: Conversation, arrived: Conversation): Conversation {
  return arrived.version >= held.version ? arrived : held;
}

/** Returns whether a conversation's fan has a tag. @param tag the id of a library tag, or a label */
export function hasTag({ fan }: Conversation, tag: string): boolean {
  return fan.admin_tags.some(
    ({ globalTagId, label }) => globalTagId === tag || label.toLowerCase() === tag.toLowerCase(),
  );
}

function needsReply({ status, waiting_since, snooze }: Conversation): boolean {
  return status === 'active' && waiting_since !== null && snooze === null;
}

/** Returns whether a conversation belongs to a list. */
export function belongs({ filter, tag, adminId }: ListView, conversation: Conversation): boolean {
  if (tag !== null && !hasTag(conversation, tag)) return false;
  switch (filter) {
    case 'unread':
      return conversation.unread_count > 0 && conversation.snooze === null;
    case 'needs_reply':
      return needsReply(conversation);
    case 'mine':
      return conversation.claimed_by === adminId;
    case 'archived':
      return conversation.status === 'archived';
    case 'all':
      return true;
  }
}

/** Returns a timestamp in milliseconds, or `without` if it is missing or invalid. */
function timeOf(timestamp: string | null, without: number): number {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? without : time;
}

function byNewest(a: Conversation, b: Conversation): number {
  const difference = timeOf(b.last_message_at, 0) - timeOf(a.last_message_at, 0);
  if (difference !== 0) return difference;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** Compares two conversations by a sort order, as the server does. */
export function compareIn(sort: InboxSort, a: Conversation, b: Conversation): number {
  const first = (conversation: Conversation): number => {
    if (sort === 'unread_first') return conversation.unread_count > 0 ? 0 : 1;
    if (sort === 'longest_waiting')
      return timeOf(conversation.waiting_since, Number.MAX_SAFE_INTEGER);
    return 0;
  };
  return first(a) - first(b) || byNewest(a, b);
}

/** Returns the order of a list. The needs-reply queue is always ordered by waiting time. */
function orderOf({ filter, sort }: InboxListParams): InboxSort {
  return filter === 'needs_reply' ? 'longest_waiting' : sort;
}

/** Returns a tab's rows with the admin's pinned conversations first. */
export function withPins(
  rows: readonly Conversation[],
  pins: readonly Conversation[],
  view: ListView,
): readonly Conversation[] {
  const isHere = (pinned: Conversation) =>
    view.segment === null ? belongs(view, pinned) : rows.some(({ id }) => id === pinned.id);
  const above = pins.filter(isHere);
  if (above.length === 0) return rows;
  const ids = new Set(above.map(({ id }) => id));
  return [...above, ...rows.filter(({ id }) => !ids.has(id))];
}

/** The rows of a page by id, cached because every event looks rows up and most pages don't change. */
const indexes = new WeakMap<readonly Conversation[], ReadonlyMap<string, Conversation>>();

function rowIn({ data }: ConversationPage, id: string): Conversation | undefined {
  let index = indexes.get(data);
  if (index === undefined) {
    index = new Map(data.map((row) => [row.id, row]));
    indexes.set(data, index);
  }
  return index.get(id);
}

/** Pages that are known to have no duplicate rows. Only a fetch can add a row that is already in the list. */
const knownUnique = new WeakSet<readonly ConversationPage[]>();

/** Returns the list with its pages replaced. The new pages must not add duplicate rows. */
function withPages(list: InboxList, pages: CachedPage[]): InboxList {
  if (knownUnique.has(list.pages)) knownUnique.add(pages);
  return { ...list, pages };
}

/** Returns the rows of all loaded pages. If a row moved between two fetches and is in two pages, the newer one is kept. */
export function inboxRows({ pages }: InboxList): Conversation[] {
  const rows: Conversation[] = [];
  for (const { data } of pages) rows.push(...data);
  if (knownUnique.has(pages)) return rows;
  const newest = new Map<string, Conversation>();
  for (const row of rows) {
    const held = newest.get(row.id);
    if (!held || row.version > held.version) newest.set(row.id, row);
  }
  if (newest.size < rows.length) return rows.filter((row) => newest.get(row.id) === row);
  knownUnique.add(pages);
  return rows;
}

/** Returns the number of conversations in the whole list, loaded or not. */
export function inboxTotal(list: InboxList): number {
  return list.pages.at(-1)?.next_cursor === null
    ? inboxRows(list).length
    : (list.pages[0]?.total ?? 0);
}

function endOf(page: CachedPage): Conversation | null {
  return page.end === undefined ? (page.data.at(-1) ?? null) : page.end;
}

/** Returns the index of the page whose range contains a row; -1 if the row comes after all loaded pages. */
function pageFor(pages: readonly CachedPage[], sort: InboxSort, row: Conversation): number {
  const last = pages.length - 1;
  const within = pages.findIndex((page) => {
    const end = endOf(page);
    return end !== null && compareIn(sort, row, end) <= 0;
  });
  if (within !== -1) return within;
  return pages[last]?.next_cursor === null ? last : -1;
}

function insertSorted(
  rows: readonly Conversation[],
  sort: InboxSort,
  row: Conversation,
): Conversation[] {
  const index = rows.findIndex((other) => compareIn(sort, row, other) < 0);
  return rows.toSpliced(index === -1 ? rows.length : index, 0, row);
}

/** Returns the newest version of a conversation in a list, or null. */
export function findInList(list: InboxList, id: string): Conversation | null {
  let found: Conversation | null = null;
  for (const page of list.pages) {
    const row = rowIn(page, id);
    if (row && (!found || row.version > found.version)) found = row;
  }
  return found;
}

/** Applies `change` to every item. Returns the same array if no item changes. */
export function changeEach<T>(items: T[], change: (item: T) => T): T[] {
  const changed = items.map(change);
  return changed.some((item, index) => item !== items[index]) ? changed : items;
}

/** Applies `change` to every row of a list, without moving rows. Returns the same list if no row changes. */
export function changeRows(
  list: InboxList,
  change: (row: Conversation) => Conversation,
): InboxList {
  const pages = changeEach(list.pages, (page) => {
    const data = changeEach(page.data, change);
    return data === page.data ? page : { ...page, data };
  });
  return pages === list.pages ? list : withPages(list, pages);
}

/** Returns the list without a removed conversation. */
export function removeFromList(list: InboxList, id: string): InboxList {
  if (findInList(list, id) === null) return list;
  const pages = list.pages.map((page: CachedPage) => ({
    ...page,
    end: endOf(page),
    data: page.data.filter((row) => row.id !== id),
    total: page.total - 1,
  }));
  return withPages(list, pages);
}

/**
 * Puts a conversation where it belongs in a list: moves, updates, adds or removes it. It is not added if its position is not
 * loaded yet. `before` is its previously known state, used to correct the total. Nothing is added to segment lists, because only
 * the server knows who is in a segment.
 */
export function putInList(
  list: InboxList,
  view: ListView,
  arrived: Conversation,
  before: Conversation | null = null,
): InboxList {
  const held = findInList(list, arrived.id);
  const row = held ? newerOf(held, arrived) : arrived;
  const isKnown = view.segment === null || held !== null;
  const isMember = isKnown && belongs(view, row);
  const wasMember = held !== null || (isKnown && before !== null && belongs(view, before));
  const difference = Number(isMember) - Number(wasMember);
  const pages = list.pages.map((page) => withoutRow(page, row.id, difference));
  const sort = orderOf(view);
  const index = isMember ? pageFor(pages, sort, row) : -1;
  const target = pages[index];
  if (target) pages[index] = { ...target, data: insertSorted(target.data, sort, row) };
  else if (held === null && difference === 0) return list;
  return withPages(list, pages);
}

/** Returns a page without a row, with the total changed by `difference`; the same page if nothing changes. */
function withoutRow(page: CachedPage, id: string, difference: number): CachedPage {
  const isHere = rowIn(page, id) !== undefined;
  if (!isHere && difference === 0 && page.end !== undefined) return page;
  return {
    ...page,
    end: endOf(page),
    total: Math.max(0, page.total + difference),
    data: isHere ? page.data.filter((row) => row.id !== id) : page.data,
  };
}

/**
 * Merges a newly fetched first page: adds new conversations and updates known ones. `hole` is true if rows may be missing between
 * this page and the loaded rows, so that the whole list must be refetched.
 */
export function mergeFirstPage(
  list: InboxList,
  view: ListView,
  page: ConversationPage,
): { list: InboxList; hole: boolean } {
  const last = page.data.at(-1);
  const hole =
    page.next_cursor !== null && last !== undefined && findInList(list, last.id) === null;
  const merged = page.data.reduce(
    (into, conversation) => putInList(into, view, conversation),
    list,
  );
  const pages = merged.pages.map((held) => ({ ...held, total: page.total }));
  return { list: { ...merged, pages }, hole };
}
