import type {
  Conversation,
  ConversationPage,
  ConversationState,
  InboxSort,
  SearchHit,
} from '@stagedoor/contract/inbox/conversations';
import type { InboxList, InboxListParams } from './queries.ts';

/** What an event tells of a conversation: its id and version, and whatever of its state changed. */
export type ConversationChange = Pick<ConversationState, 'id' | 'version'> &
  Partial<ConversationState>;

/** A list with whose eyes it is seen: 'mine' depends on who looks. */
export interface ListView extends InboxListParams {
  adminId: string;
}

/**
 * A page as the cache holds it. `end` is the last row as it was fetched: the page's cursor points behind it, and rows move
 * later. Absent until an event first touches the list.
 */
interface CachedPage extends ConversationPage {
  end?: Conversation | null;
}

/** The conversation with the change in it; one that is as new already stays as it is. */
export function applyChange<C extends Conversation>(
  conversation: C,
  change: ConversationChange,
): C {
  return change.version > conversation.version ? { ...conversation, ...change } : conversation;
}

/** The newer of a cached and an arrived conversation. */
export function newerOf(held: Conversation, arrived: Conversation): Conversation {
  return arrived.version >= held.version ? arrived : held;
}

/** @param tag the id of a tag of the library, or a label */
export function hasTag({ fan }: Conversation, tag: string): boolean {
  return fan.admin_tags.some(
    ({ globalTagId, label }) => globalTagId === tag || label.toLowerCase() === tag.toLowerCase(),
  );
}

function needsReply({ status, waiting_since, snooze }: Conversation): boolean {
  return status === 'active' && waiting_since !== null && snooze === null;
}

/** Whether a conversation is in a list. */
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

/** Milliseconds of a timestamp; no or an invalid one counts as `without`. */
function timeOf(timestamp: string | null, without: number): number {
  const time = timestamp === null ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(time) ? without : time;
}

function byNewest(a: Conversation, b: Conversation): number {
  const difference = timeOf(b.last_message_at, 0) - timeOf(a.last_message_at, 0);
  if (difference !== 0) return difference;
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}

/** The server's order of a list, as a comparison for sorting. */
export function compareIn(sort: InboxSort, a: Conversation, b: Conversation): number {
  const first = (conversation: Conversation): number => {
    if (sort === 'unread_first') return conversation.unread_count > 0 ? 0 : 1;
    if (sort === 'longest_waiting')
      return timeOf(conversation.waiting_since, Number.MAX_SAFE_INTEGER);
    return 0;
  };
  return first(a) - first(b) || byNewest(a, b);
}

/** The order that a list is in: who is to be answered comes in that of waiting, whatever is asked for. */
function orderOf({ filter, sort }: InboxListParams): InboxSort {
  return filter === 'needs_reply' ? 'longest_waiting' : sort;
}

/** A tab's rows with those that the admin pinned at their top. */
export function withPins(
  rows: readonly Conversation[],
  pins: readonly Conversation[],
  view: ListView,
): readonly Conversation[] {
  const above = pins.filter((pinned) => belongs(view, pinned));
  if (above.length === 0) return rows;
  const ids = new Set(above.map(({ id }) => id));
  return [...above, ...rows.filter(({ id }) => !ids.has(id))];
}

/** A page's rows by their ids: looked for at each event, while most pages stay as they are. */
const indexes = new WeakMap<readonly Conversation[], ReadonlyMap<string, Conversation>>();

function rowIn({ data }: ConversationPage, id: string): Conversation | undefined {
  let index = indexes.get(data);
  if (index === undefined) {
    index = new Map(data.map((row) => [row.id, row]));
    indexes.set(data, index);
  }
  return index.get(id);
}

/** The pages of lists that are known to have no row twice. Only a fetch can bring one that is there already. */
const withoutTwins = new WeakSet<readonly ConversationPage[]>();

/** A list with its pages changed in a way that puts no row into two of them. */
function withPages(list: InboxList, pages: CachedPage[]): InboxList {
  if (withoutTwins.has(list.pages)) withoutTwins.add(pages);
  return { ...list, pages };
}

/** The rows of all loaded pages. A row that moved between two fetches is in two of them: the newer one counts. */
export function inboxRows({ pages }: InboxList): Conversation[] {
  const rows: Conversation[] = [];
  for (const { data } of pages) rows.push(...data);
  if (withoutTwins.has(pages)) return rows;
  const newest = new Map<string, Conversation>();
  for (const row of rows) {
    const held = newest.get(row.id);
    if (!held || row.version > held.version) newest.set(row.id, row);
  }
  if (newest.size < rows.length) return rows.filter((row) => newest.get(row.id) === row);
  withoutTwins.add(pages);
  return rows;
}

/** Conversations in the whole list, loaded or not. */
export function inboxTotal(list: InboxList): number {
  return list.pages.at(-1)?.next_cursor === null
    ? inboxRows(list).length
    : (list.pages[0]?.total ?? 0);
}

function endOf(page: CachedPage): Conversation | null {
  return page.end === undefined ? (page.data.at(-1) ?? null) : page.end;
}

/** The page in whose range a row falls; -1 behind the loaded ones. */
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
  const place = rows.findIndex((other) => compareIn(sort, row, other) < 0);
  return rows.toSpliced(place === -1 ? rows.length : place, 0, row);
}

/** The newest that a list knows of a conversation, or null. */
export function findInList(list: InboxList, id: string): Conversation | null {
  let found: Conversation | null = null;
  for (const page of list.pages) {
    const row = rowIn(page, id);
    if (row && (!found || row.version > found.version)) found = row;
  }
  return found;
}

/** The list without a conversation that is gone. */
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
 * Puts a conversation where it belongs in a list: in its place, changed, out of it, or not at all where its place is not
 * loaded yet. `before` is the conversation as it was, as far as it is known, so that the total follows.
 */
export function putInList(
  list: InboxList,
  view: ListView,
  arrived: Conversation,
  before: Conversation | null = null,
): InboxList {
  const held = findInList(list, arrived.id);
  const row = held ? newerOf(held, arrived) : arrived;
  const isMember = belongs(view, row);
  const wasMember = held !== null || (before !== null && belongs(view, before));
  const difference = Number(isMember) - Number(wasMember);
  const pages = list.pages.map((page) => withoutRow(page, row.id, difference));
  const sort = orderOf(view);
  const place = isMember ? pageFor(pages, sort, row) : -1;
  const target = pages[place];
  if (target) pages[place] = { ...target, data: insertSorted(target.data, sort, row) };
  else if (held === null && difference === 0) return list;
  return withPages(list, pages);
}

/** A page as it is before a row finds its new place; the same one where that changes nothing. */
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
 * Takes over a freshly fetched first page: new conversations find their places and known ones are refreshed. `hole`: so
 * much is new that rows may be missing behind the page, and the whole list must be fetched again.
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

/** Refreshes a conversation among search results; their order stays. */
export function putInSearch(hits: readonly SearchHit[], arrived: Conversation): SearchHit[] {
  return hits.map((hit) =>
    hit.id === arrived.id ? { ...newerOf(hit, arrived), match: hit.match } : hit,
  );
}
