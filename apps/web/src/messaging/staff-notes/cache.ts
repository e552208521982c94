import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';

/** A span of a conversation's time. */
export interface NotesSpan {
  /** The first instant of it; null: it has all that is older. */
  from: string | null;
  /** Before this instant it ends; null: it has all that is newer. */
  to: string | null;
}

/** What is loaded of the notes among a conversation's messages: those of a span without a hole, ascending by time. */
export interface HeldNotes extends NotesSpan {
  notes: readonly StaffNote[];
}

/** The last that was heard of a note. */
export interface Heard {
  /** When, in milliseconds of the page's own clock. */
  at: number;
  conversationId: string;
  /** Null: it was deleted. */
  note: StaffNote | null;
}

/** The last that was heard of each note, by id. */
export type HeardNotes = ReadonlyMap<string, Heard>;

function byTime(a: StaffNote, b: StaffNote): number {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

const isNewer = (note: StaffNote, than: StaffNote | undefined) =>
  than === undefined || note.version > than.version;

/** Whether a note lies in a span. */
export const isWithin = ({ from, to }: NotesSpan, { created_at: at }: StaffNote): boolean =>
  (from === null || at >= from) && (to === null || at < to);

/** What a span lacks on one of its sides of what is wanted; null: nothing. */
export function lacking(held: NotesSpan, wanted: NotesSpan): NotesSpan | null {
  if (held.from !== null && (wanted.from === null || wanted.from < held.from))
    return { from: wanted.from, to: held.from };
  if (held.to !== null && (wanted.to === null || wanted.to > held.to))
    return { from: held.to, to: wanted.to };
  return null;
}

/** Shows a note as it was told, where it belongs to what is loaded. */
export function putNote(held: HeldNotes, note: StaffNote): HeldNotes {
  const known = held.notes.find(({ id }) => id === note.id);
  if (!isNewer(note, known)) return held;
  if (!known && !isWithin(held, note)) return held;
  const others = held.notes.filter((other) => other !== known);
  return { ...held, notes: [...others, note].sort(byTime) };
}

/** Takes a note out. */
export function dropNote(held: HeldNotes, id: string): HeldNotes {
  const notes = held.notes.filter((note) => note.id !== id);
  return notes.length === held.notes.length ? held : { ...held, notes };
}

/**
 * An answer as it is by now: what was told since it was asked for is newer, and what was deleted does not come back.
 * @param askedAt on the clock of {@link Heard}
 */
export function upToDate(
  answer: HeldNotes,
  conversationId: string,
  heard: HeardNotes,
  askedAt: number,
): HeldNotes {
  let current = answer;
  for (const [id, { at, note, conversationId: of }] of heard) {
    if (of !== conversationId) continue;
    if (note === null) current = dropNote(current, id);
    else if (at >= askedAt || answer.notes.some((known) => known.id === id))
      current = putNote(current, note);
  }
  return current;
}

/** Joins notes to those that are loaded, of a span just before theirs or after it. */
export function joinNotes(held: HeldNotes, part: HeldNotes): HeldNotes {
  const isOlder = part.to !== null && part.to === held.from;
  // So many came in between that not all of them could be fetched: those before these follow as older ones.
  if (!isOlder && part.from !== held.to) return part;
  const known = new Set(held.notes.map(({ id }) => id));
  const added = part.notes.filter(({ id }) => !known.has(id));
  return {
    notes: [...added, ...held.notes].sort(byTime),
    from: isOlder ? part.from : held.from,
    to: isOlder ? held.to : part.to,
  };
}
