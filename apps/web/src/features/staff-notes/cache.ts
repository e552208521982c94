import type { StaffNote } from '@stagedoor/contract/staff-notes';

/** What is loaded of the notes among a conversation's messages: the newest ones without a hole, ascending by time. */
export interface HeldNotes {
  notes: readonly StaffNote[];
  /** From this instant on they are loaded; null: all are. */
  from: string | null;
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

/** Shows a note as it was told, where it belongs to what is loaded. */
export function putNote(held: HeldNotes, note: StaffNote): HeldNotes {
  const known = held.notes.find(({ id }) => id === note.id);
  if (!isNewer(note, known)) return held;
  if (!known && held.from !== null && note.created_at < held.from) return held;
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

/** Puts older notes before those that are loaded. @param from where the loaded part begins now; null: with the first */
export function addOlderNotes(
  held: HeldNotes,
  older: readonly StaffNote[],
  from: string | null,
): HeldNotes {
  const known = new Set(held.notes.map(({ id }) => id));
  const added = older.filter(({ id }) => !known.has(id));
  return { notes: [...added, ...held.notes].sort(byTime), from };
}
