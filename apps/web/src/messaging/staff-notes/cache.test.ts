import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { describe, expect, it } from 'vitest';
import {
  dropNote,
  type HeldNotes,
  joinNotes,
  lacking,
  type NoteEvent,
  putNote,
  upToDate,
} from './cache.ts';

const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`;
const note = (minute: number, version = 1): StaffNote => ({
  id: `n${minute}`,
  conversation_id: 'c1',
  content: `Note ${minute}.${version}`,
  author: { id: 'admin', codename: 'Mango', display_color: '#7024ab' },
  mentions: [],
  created_at: at(minute),
  edited_at: null,
  version,
});
const held = (
  notes: StaffNote[],
  from: string | null = null,
  to: string | null = null,
): HeldNotes => ({ notes, from, to });
const texts = ({ notes }: HeldNotes) => notes.map(({ content }) => content);

describe('loaded staff notes', () => {
  it('insert a new note in order and only once, and ignore older versions', () => {
    const one = putNote(held([note(1), note(5)]), note(3));
    expect(texts(one)).toEqual(['Note 1.1', 'Note 3.1', 'Note 5.1']);
    const edited = putNote(one, note(3, 2));
    expect(texts(edited)).toEqual(['Note 1.1', 'Note 3.2', 'Note 5.1']);
    expect(putNote(edited, note(3))).toBe(edited);
  });

  it('ignore notes outside the loaded range', () => {
    const begun = held([note(5)], at(4), at(8));
    expect(putNote(begun, note(3))).toBe(begun);
    expect(putNote(begun, note(8))).toBe(begun);
    expect(texts(putNote(begun, note(4)))).toEqual(['Note 4.1', 'Note 5.1']);
    expect(texts(putNote(begun, note(7)))).toEqual(['Note 5.1', 'Note 7.1']);
  });

  it('drop a deleted note', () => {
    const begun = held([note(1), note(2)]);
    expect(texts(dropNote(begun, 'n1'))).toEqual(['Note 2.1']);
    expect(dropNote(begun, 'n9')).toBe(begun);
  });

  it('are extended with older and newer notes, each only once', () => {
    const some = held([note(5)], at(4), at(6));
    const older = joinNotes(some, held([note(1), note(5)], null, at(4)));
    expect(older).toEqual(held([note(1), note(5)], null, at(6)));
    const newer = joinNotes(older, held([note(7)], at(6), at(9)));
    expect(newer).toEqual(held([note(1), note(5), note(7)], null, at(9)));
  });

  it('report the missing range, one side at a time', () => {
    const some = held([], at(4), at(6));
    expect(lacking(some, { from: at(2), to: at(8) })).toEqual({ from: at(2), to: at(4) });
    expect(lacking(some, { from: null, to: at(6) })).toEqual({ from: null, to: at(4) });
    expect(lacking(some, { from: at(5), to: at(8) })).toEqual({ from: at(6), to: at(8) });
    expect(lacking(some, { from: at(4), to: at(6) })).toBeNull();
    expect(lacking(held([]), { from: null, to: null })).toBeNull();
  });

  it('start over after a gap, and then report the range before it as missing', () => {
    const some = held([note(1)], at(0), at(2));
    const newest = joinNotes(some, held([note(8)], at(7), at(9)));
    expect(newest).toEqual(held([note(8)], at(7), at(9)));
    expect(lacking(newest, { from: at(0), to: at(9) })).toEqual({ from: at(0), to: at(7) });
  });
});

describe('a response that arrives after newer events', () => {
  const events = (entries: [string, Partial<NoteEvent>][]) =>
    new Map(
      entries.map(([id, entry]) => [id, { at: 10, conversationId: 'c1', note: null, ...entry }]),
    );

  it('includes their changes, and does not restore deleted notes', () => {
    const recent = events([
      ['n1', {}],
      ['n2', { at: 1, note: note(2, 3) }],
      ['n7', { note: note(7) }],
      ['n8', { conversationId: 'c2', note: { ...note(8), conversation_id: 'c2' } }],
    ]);
    const current = upToDate(held([note(1), note(2)]), 'c1', recent, 5);
    expect(texts(current)).toEqual(['Note 2.3', 'Note 7.1']);
  });

  it('ignores events from before the request', () => {
    const recent = events([['n7', { at: 1, note: note(7) }]]);
    expect(texts(upToDate(held([note(1)]), 'c1', recent, 5))).toEqual(['Note 1.1']);
  });
});
