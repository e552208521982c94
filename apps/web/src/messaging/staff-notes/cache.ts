import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';

/** A time span in a conversation. */
export interface NotesSpan {
  /** The inclusive start; null for the beginning of the conversation. */
  from: string | null;
  /** The exclusive end; null for no end. */
  to: string | null;
}

/** The loaded staff notes of a conversation: all notes within a span, ascending by time. */
export interface HeldNotes extends NotesSpan {
  notes: readonly StaffNote[];
}

/** The last event about a note. */
export interface NoteEvent {
  /** When the event arrived, in milliseconds of `performance.now()`. */
  at: number;
  conversationId: string;
  /** Null if the note was deleted. */
  note: StaffNote | null;
}

/** The last event about each note, by id. */
export type NoteEvents = ReadonlyMap<string, NoteEvent>;

function byTime(a: StaffNote, b: StaffNote): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

const isNewer = (note: StaffNote, than: StaffNote | undefined) =>
  than === undefined || note.version > than.version;

/** Returns whether a note lies in a span. */
export const isWithin = ({ from, to }: NotesSpan, { created_at: at }: StaffNote): boolean =>
  (from === null || at >= from) && (to === null || at < to);

/** Returns the part of `wanted` that lies before `held`, or else the part after it; null if `held` covers `wanted`. */
export function lacking(held: NotesSpan, wanted: NotesSpan): NotesSpan | null {
  if (held.from !== null && (wanted.from === null || wanted.from < held.from))
    return { from: wanted.from, to: held.from };
  if (held.to !== null && (wanted.to === null || wanted.to > held.to))
    return { from: held.to, to: wanted.to };
  return null;
}

/** Updates a loaded note if the given version is newer, or adds a note that lies within the loaded span. */
export function putNote(held: HeldNotes, note: StaffNote): HeldNotes {
  const known = held.notes.find(({ id }) => id === note.id);
  if (!isNewer(note, known)) return held;
  if (!known && !isWithin(held, note)) return held;
  const others = held.notes.filter((other) => other !== known);
  return { ...held, notes: [...others, note].sort(byTime) };
}

export function dropNote(held: HeldNotes, id: string): HeldNotes {
  const notes = held.notes.filter((note) => note.id !== id);
  return notes.length === held.notes.length ? held : { ...held, notes };
}

/**
 * Applies events to a response. Deletions always apply. A saved note applies if its event arrived after the request, or if the
 * response contains the note.
 * @param askedAt when the request was made, in milliseconds of `performance.now()`
 */
export function upToDate(
  answer: HeldNotes,
  conversationId: string,
  events: NoteEvents,
  askedAt: number,
): HeldNotes {
  let current = answer;
  for (const [id, { at, note, conversationId: of }] of events) {
    if (of !== conversationId) continue;
    if (note === null) current = dropNote(current, id);
    else if (at >= askedAt || answer.notes.some((known) => known.id === id))
      current = putNote(current, note);
  }
  return current;
}

/** Merges notes of an adjacent span, before or after the loaded one. */
export function joinNotes(held: HeldNotes, part: HeldNotes): HeldNotes {
  const isOlder = part.to !== null && part.to === held.from;
  // There is a gap, because not all newer notes were fetched. Keeps only the fetched part; earlier notes load again on scrolling.
  if (!isOlder && part.from !== held.to) return part;
  const known = new Set(held.notes.map(({ id }) => id));
  const added = part.notes.filter(({ id }) => !known.has(id));
  return {
    notes: [...added, ...held.notes].sort(byTime),
    from: isOlder ? part.from : held.from,
    to: isOlder ? held.to : part.to,
  };
}
