import {
  listMentions,
  listTeammates,
  type Mention,
  readMentions,
  type Teammate,
} from '@stagedoor/contract/messaging/mentions';
import {
  createStaffNote,
  deleteStaffNote,
  listStaffNotes,
  STAFF_NOTES_PAGE_MAX,
  type StaffNote,
  updateStaffNote,
} from '@stagedoor/contract/messaging/staff-notes';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';
import { patchQueries, patchQuery } from '../../lib/server/patch-queries.ts';
import {
  dropNote,
  type HeldNotes,
  joinNotes,
  lacking,
  type NoteEvent,
  type NoteEvents,
  type NotesSpan,
  putNote,
  upToDate,
} from './cache.ts';

/** Returns the query key of notes. @param around the message that was jumped to; null for the newest messages */
const notesKey = (conversationId: string, around: string | null) =>
  around === null
    ? (['conversation', conversationId, 'notes'] as const)
    : (['conversation', conversationId, 'notes', around] as const);

/** The maximum number of pages to fetch at once. Older notes load when they are scrolled to. */
const PAGES_AT_ONCE = 10;
/** The maximum number of notes whose last event is kept. */
const EVENTS_MAX = 500;
/** The staff list seldom changes, and events refresh it. Milliseconds. */
const TEAMMATES_FRESH_MS = 30_000;

const EVERYTHING: NotesSpan = { from: null, to: null };

const eventsOf = new WeakMap<QueryClient, Map<string, NoteEvent>>();

function noteEventsOf(client: QueryClient): NoteEvents {
  return eventsOf.get(client) ?? new Map();
}

function remember(client: QueryClient, id: string, event: Omit<NoteEvent, 'at'>): void {
  const all = eventsOf.get(client) ?? new Map<string, NoteEvent>();
  eventsOf.set(client, all);
  const known = all.get(id);
  const isOlder =
    known && (known.note === null || (event.note && event.note.version < known.note.version));
  if (isOlder) return;
  all.delete(id);
  all.set(id, { ...event, at: performance.now() });
  const [oldest] = all.keys();
  if (all.size > EVENTS_MAX && oldest !== undefined) all.delete(oldest);
}

/** Fetches the notes of a span in whole pages, newest page first, until the span or the page limit is reached. */
async function fetchSpan(
  id: string,
  { from, to }: NotesSpan,
  pages: number,
  signal?: AbortSignal,
): Promise<{ notes: StaffNote[]; isWhole: boolean }> {
  let notes: StaffNote[] = [];
  let cursor: string | null = null;
  const span = { ...(from !== null && { from }), ...(to !== null && { to }) };
  for (let page = 0; page < pages; page += 1) {
    const query = { ...span, limit: STAFF_NOTES_PAGE_MAX, ...(cursor !== null && { cursor }) };
    const reply: { data: StaffNote[]; next_cursor: string | null } = await call(listStaffNotes, {
      params: { id },
      query,
      signal,
    });
    notes = [...reply.data, ...notes];
    cursor = reply.next_cursor;
    if (cursor === null) return { notes, isWhole: true };
  }
  return { notes, isWhole: false };
}

/**
 * Returns the fetched part of a span. If the span is not complete, drops the notes with the earliest time, because the next page
 * may have more notes with the same time.
 */
function begin(notes: readonly StaffNote[], isWhole: boolean, span: NotesSpan): HeldNotes {
  if (isWhole) return { notes, ...span };
  const first = notes[0]?.created_at ?? '';
  const sure = notes.filter(({ created_at }) => created_at > first);
  return { notes: sure, from: sure[0]?.created_at ?? null, to: span.to };
}

/** Identifies the messages whose notes are shown: the newest, or those around a message that was jumped to. */
interface NotesView {
  conversationId: string;
  /** The message that was jumped to; null if the newest are shown. */
  around: string | null;
}

/**
 * Returns the query for the staff notes among a conversation's newest messages, or among the messages around one message. A
 * refetch covers all notes loaded so far. Live events keep the notes current.
 * @param shown the time span to fetch first around a message; for the newest messages, one page of notes is fetched first
 */
export const staffNotesOptions = (
  { conversationId, around }: NotesView,
  shown: NotesSpan = EVERYTHING,
) => {
  const queryKey = notesKey(conversationId, around);
  return queryOptions({
    queryKey,
    queryFn: async ({ client, signal }): Promise<HeldNotes> => {
      const askedAt = performance.now();
      const held = client.getQueryData<HeldNotes>(queryKey);
      const isFirst = held === undefined && around === null;
      const { from, to } = isFirst ? EVERYTHING : (held ?? shown);
      const pages = isFirst ? 1 : PAGES_AT_ONCE;
      const { notes, isWhole } = await fetchSpan(conversationId, { from, to }, pages, signal);
      const answer = begin(notes, isWhole, { from, to });
      return upToDate(answer, conversationId, noteEventsOf(client), askedAt);
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
};

/** Loads the missing notes of a span, on one side of the loaded ones. */
export async function loadNotes(
  client: QueryClient,
  { conversationId, around }: NotesView,
  wanted: NotesSpan,
  signal: AbortSignal,
): Promise<void> {
  const queryKey = notesKey(conversationId, around);
  const held = client.getQueryData<HeldNotes>(queryKey);
  const span = held && lacking(held, wanted);
  if (!span) return;
  const askedAt = performance.now();
  const { notes, isWhole } = await fetchSpan(conversationId, span, PAGES_AT_ONCE, signal);
  const part = begin(notes, isWhole, span);
  patchQuery<HeldNotes>(client, queryKey, (current) =>
    // A refetch during the request may have changed the loaded span.
    current.from === held.from && current.to === held.to
      ? upToDate(joinNotes(current, part), conversationId, noteEventsOf(client), askedAt)
      : current,
  );
}

/** Returns whether a conversation has a note. Loads older notes until it is found. */
export async function hasNote(
  client: QueryClient,
  conversationId: string,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const view = { conversationId, around: null };
  for (;;) {
    const { notes, from } = await client.ensureQueryData(staffNotesOptions(view));
    if (notes.some((note) => note.id === id)) return true;
    if (from === null) return false;
    await loadNotes(client, view, EVERYTHING, signal);
    signal.throwIfAborted();
  }
}

export function noteSaved(client: QueryClient, note: StaffNote): void {
  remember(client, note.id, { conversationId: note.conversation_id, note });
  // The note is already deleted. A late event must not bring it back.
  if (noteEventsOf(client).get(note.id)?.note === null) return;
  const queryKey = ['conversation', note.conversation_id, 'notes'] as const;
  patchQueries<HeldNotes>(client, { queryKey }, (held) => putNote(held, note));
}

export function noteDeleted(client: QueryClient, conversationId: string, id: string): void {
  remember(client, id, { conversationId, note: null });
  const queryKey = ['conversation', conversationId, 'notes'] as const;
  patchQueries<HeldNotes>(client, { queryKey }, (held) => dropNote(held, id));
}

/**
 * Adds a note.
 * @param clientId a retry with the same id returns the same note
 */
export async function addNote(
  client: QueryClient,
  conversationId: string,
  note: { clientId: string; content: string },
): Promise<void> {
  const body = { client_id: note.clientId, content: note.content };
  const { data } = await call(createStaffNote, { params: { id: conversationId }, body });
  noteSaved(client, data);
}

export async function changeNote(
  client: QueryClient,
  { id: noteId, conversation_id: id }: StaffNote,
  content: string,
): Promise<void> {
  const { data } = await call(updateStaffNote, { params: { id, noteId }, body: { content } });
  noteSaved(client, data);
}

export async function removeNote(
  client: QueryClient,
  { id: noteId, conversation_id: id }: StaffNote,
): Promise<void> {
  await call(deleteStaffNote, { params: { id, noteId } });
  noteDeleted(client, id, noteId);
}

/** All active staff. */
export const teammatesOptions = queryOptions({
  queryKey: ['teammates'],
  queryFn: async ({ signal }): Promise<Teammate[]> => (await call(listTeammates, { signal })).data,
  staleTime: TEAMMATES_FRESH_MS,
});

/** The notes that mention the viewer, newest first, page by page. */
export const mentionsOptions = infiniteQueryOptions({
  queryKey: ['mentions'],
  queryFn: ({ pageParam, signal }) => call(listMentions, { query: pageParam, signal }),
  ...byCursor,
  select: ({ pages }): Mention[] => pages.flatMap((page) => page.data),
});

/** Marks mentions as read: those in the given notes, or all up to a note's. */
export async function markMentionsRead(
  client: QueryClient,
  body: { note_ids: string[] } | { up_to: string },
): Promise<void> {
  await call(readMentions, { body });
  void client.invalidateQueries({ queryKey: ['mentions'] });
  await client.invalidateQueries({ queryKey: ['inbox', 'stats'] });
}
