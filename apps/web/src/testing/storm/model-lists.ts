import type {
  Conversation,
  ConversationPage,
  InboxFilter,
  InboxSort,
} from '@stagedoor/contract/inbox/conversations';

/** Conversations per page: few, so that a dozen conversations make several pages. */
const PAGE = 3;

/** The parameters of a list, and the admin who requests it. */
export interface ListQuery {
  filter: InboxFilter;
  sort: InboxSort;
  tag: string | null;
  adminId: string;
}

const KEEPS: Record<InboxFilter, (conversation: Conversation, adminId: string) => boolean> = {
  all: () => true,
  unread: ({ unread_count, snooze }) => unread_count > 0 && snooze === null,
  needs_reply: ({ status, waiting_since, snooze }) =>
    status === 'active' && waiting_since !== null && snooze === null,
  mine: ({ claimed_by }, adminId) => claimed_by === adminId,
  archived: ({ status }) => status === 'archived',
};

/** Returns whether a conversation belongs to a list, as defined by the contract. */
export function isListed({ filter, tag, adminId }: ListQuery, conversation: Conversation): boolean {
  const isTagged =
    tag === null || conversation.fan.admin_tags.some(({ globalTagId }) => globalTagId === tag);
  return isTagged && KEEPS[filter](conversation, adminId);
}

const time = (instant: string | null, without: number) =>
  instant === null ? without : Date.parse(instant);

type Order = Pick<ListQuery, 'filter' | 'sort'>;

/** Returns the sort key of a conversation; smaller comes first. The needs-reply queue is ordered by waiting time. */
function keyOf({ filter, sort }: Order, conversation: Conversation): readonly (number | string)[] {
  const first = {
    unread_first: conversation.unread_count > 0 ? 0 : 1,
    newest: 0,
    longest_waiting: time(conversation.waiting_since, Number.POSITIVE_INFINITY),
  };
  const order = filter === 'needs_reply' ? 'longest_waiting' : sort;
  return [first[order], -time(conversation.last_message_at, 0), conversation.id];
}

type Key = ReturnType<typeof keyOf>;

function compare(a: Key, b: Key): number {
  for (const index of [0, 1] as const) {
    const difference = a[index] === b[index] ? 0 : Number(a[index]) - Number(b[index]);
    if (difference !== 0) return difference;
  }
  // If two have the same time, the greater id comes first.
  return a[2] === b[2] ? 0 : String(a[2]) < String(b[2]) ? 1 : -1;
}

/** Returns the whole list in its order. */
export function wholeList(query: ListQuery, all: readonly Conversation[]): Conversation[] {
  return all
    .filter((conversation) => isListed(query, conversation))
    .sort((a, b) => compare(keyOf(query, a), keyOf(query, b)));
}

/** Returns a page of the list, from the beginning or after a cursor. */
export function listPage(
  query: ListQuery,
  all: readonly Conversation[],
  cursor: string | null,
): ConversationPage {
  const whole = wholeList(query, all);
  const after =
    cursor === null
      ? null
      : (JSON.parse(cursor, (_, value) => value ?? Number.POSITIVE_INFINITY) as Key);
  const behind =
    after === null ? whole : whole.filter((row) => compare(keyOf(query, row), after) > 0);
  const data = behind.slice(0, PAGE);
  const last = data.at(-1);
  const next_cursor = behind.length > PAGE && last ? JSON.stringify(keyOf(query, last)) : null;
  return { data, next_cursor, total: whole.length };
}
