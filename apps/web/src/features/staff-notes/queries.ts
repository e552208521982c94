import {
  type Colleague,
  listColleagues,
  listMentions,
  type Mention,
  readMentions,
} from '@stagedoor/contract/mentions';
import {
  createStaffNote,
  deleteStaffNote,
  listStaffNotes,
  STAFF_NOTES_PAGE_MAX,
  type StaffNote,
  updateStaffNote,
} from '@stagedoor/contract/staff-notes';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { patchQueries } from '../../lib/patch-queries.ts';
import { inboxKeys } from '../inbox/queries.ts';
import {
  addOlderNotes,
  dropNote,
  type Heard,
  type HeardNotes,
  type HeldNotes,
  putNote,
  upToDate,
} from './cache.ts';

const notesKey = (conversationId: string) =>
  ['conversation', conversationId, 'staff-notes'] as const;
const mentionsKey = ['mentions'] as const;

/** More pages than this are not fetched at once: what is older is loaded when it is scrolled to. */
const PAGES_AT_ONCE = 10;
/** What was heard of so many notes is remembered. */
const HEARD_MAX = 500;
/** Who is on the staff changes seldom, and is told. Milliseconds. */
const COLLEAGUES_FRESH_MS = 30_000;

const heardBy = new WeakMap<QueryClient, Map<string, Heard>>();

function heardOf(client: QueryClient): HeardNotes {
  return heardBy.get(client) ?? new Map();
}

function remember(client: QueryClient, id: string, heard: Omit<Heard, 'at'>): void {
  const all = heardBy.get(client) ?? new Map<string, Heard>();
  heardBy.set(client, all);
  const known = all.get(id);
  const isOlder =
    known && (known.note === null || (heard.note && heard.note.version < known.note.version));
  if (isOlder) return;
  all.delete(id);
  all.set(id, { ...heard, at: performance.now() });
  const [oldest] = all.keys();
  if (all.size > HEARD_MAX && oldest !== undefined) all.delete(oldest);
}

interface Span {
  /** Not before this instant. */
  from?: string;
  /** Before this one. */
  to?: string;
}

/** The notes of a span, the newest first, in whole pages until the span or what may be fetched at once is over. */
async function fetchSpan(
  id: string,
  span: Span,
  pages: number,
  signal?: AbortSignal,
): Promise<{ notes: StaffNote[]; isWhole: boolean }> {
  let notes: StaffNote[] = [];
  let cursor: string | null = null;
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

/** Where what was fetched begins, of a span that began there. What shares the first one's instant may be missing. */
function begin(notes: readonly StaffNote[], isWhole: boolean, from: string | null): HeldNotes {
  if (isWhole) return { notes, from };
  const first = notes[0]?.created_at ?? '';
  const sure = notes.filter(({ created_at }) => created_at > first);
  return { notes: sure, from: sure[0]?.created_at ?? null };
}

/** The notes among a conversation's newest messages, and all that were loaded before. Live events keep them current. */
export const staffNotesOptions = (conversationId: string) =>
  queryOptions({
    queryKey: notesKey(conversationId),
    queryFn: async ({ client, signal }): Promise<HeldNotes> => {
      const askedAt = performance.now();
      const held = client.getQueryData<HeldNotes>(notesKey(conversationId));
      const from = held?.from ?? null;
      const pages = held === undefined ? 1 : PAGES_AT_ONCE;
      const span = from === null ? {} : { from };
      const { notes, isWhole } = await fetchSpan(conversationId, span, pages, signal);
      const answer = begin(notes, isWhole, from);
      return upToDate(answer, conversationId, heardOf(client), askedAt);
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });

/** Loads the notes from an instant on that are not loaded yet. @param from null: all */
export async function loadNotesFrom(
  client: QueryClient,
  conversationId: string,
  from: string | null,
  signal: AbortSignal,
): Promise<void> {
  const queryKey = notesKey(conversationId);
  const held = client.getQueryData<HeldNotes>(queryKey);
  if (!held || held.from === null || (from !== null && held.from <= from)) return;
  const askedAt = performance.now();
  const span = { to: held.from, ...(from !== null && { from }) };
  const { notes, isWhole } = await fetchSpan(conversationId, span, PAGES_AT_ONCE, signal);
  const older = begin(notes, isWhole, from);
  patchQueries<HeldNotes>(client, { queryKey, exact: true }, (current) =>
    // Fetched anew meanwhile, it may begin elsewhere.
    current.from === held.from
      ? upToDate(
          addOlderNotes(current, older.notes, older.from),
          conversationId,
          heardOf(client),
          askedAt,
        )
      : current,
  );
}

/** A note was written or changed. */
export function noteSaved(client: QueryClient, note: StaffNote): void {
  remember(client, note.id, { conversationId: note.conversation_id, note });
  // Deleted meanwhile: what is told late does not bring it back.
  if (heardOf(client).get(note.id)?.note === null) return;
  const queryKey = notesKey(note.conversation_id);
  patchQueries<HeldNotes>(client, { queryKey, exact: true }, (held) => putNote(held, note));
}

/** A note is gone. */
export function noteDeleted(client: QueryClient, conversationId: string, id: string): void {
  remember(client, id, { conversationId, note: null });
  const queryKey = notesKey(conversationId);
  patchQueries<HeldNotes>(client, { queryKey, exact: true }, (held) => dropNote(held, id));
}

/** Writes a note. @param clientId the same again gives the same note */
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

/** Everyone active on the staff. */
export const colleaguesOptions = queryOptions({
  queryKey: ['colleagues'],
  queryFn: async ({ signal }): Promise<Colleague[]> =>
    (await call(listColleagues, { signal })).data,
  staleTime: COLLEAGUES_FRESH_MS,
});

/** The notes that mention oneself, the newest first, page by page. */
export const mentionsOptions = infiniteQueryOptions({
  queryKey: mentionsKey,
  queryFn: ({ pageParam, signal }) =>
    call(listMentions, { query: pageParam === null ? {} : { cursor: pageParam }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
  select: ({ pages }): Mention[] => pages.flatMap((page) => page.data),
});

/** What mentions oneself, or whether it was read, has changed. */
export function mentionsChanged(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: mentionsKey });
}

/** Marks mentions as read: those in the notes, or without any all of them. */
export async function markMentionsRead(
  client: QueryClient,
  noteIds: readonly string[] | null,
): Promise<void> {
  await call(readMentions, { body: noteIds === null ? {} : { note_ids: [...noteIds] } });
  mentionsChanged(client);
  await client.invalidateQueries({ queryKey: inboxKeys.stats });
}
