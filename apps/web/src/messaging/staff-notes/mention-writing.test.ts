import { mentionedIn } from '@stagedoor/contract/messaging/mention-text';
import { describe, expect, it } from 'vitest';
import { begunName, matchingTeammates, toStored, toWritten } from './mention-writing.ts';

const [MANGO, BLOOD, ORANGE] = ['a', 'b', 'c'].map(
  (digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`,
) as [string, string, string];
const people = [
  { id: MANGO, codename: 'Mango' },
  { id: BLOOD, codename: 'Blood' },
  { id: ORANGE, codename: 'Blood Orange' },
];

describe('a written mention', () => {
  it('is stored as the admin’s id, in any case, preferring the longest name', () => {
    expect(toStored('Hi @mango, ask @Blood Orange or (@Blood).', people)).toBe(
      `Hi <@${MANGO}>, ask <@${ORANGE}> or (<@${BLOOD}>).`,
    );
  });

  it('is ignored within a word or an email address, and when no admin has the name', () => {
    for (const text of ['me@mango.example', '@Mangosteen', '@Kiwi', '@', 'no name'])
      expect(toStored(text, people)).toBe(text);
  });

  it('is shown with the current name, and survives being edited', () => {
    const stored = toStored('@Mango and @Blood Orange', people);
    expect(mentionedIn(stored)).toEqual([MANGO, ORANGE]);
    const renamed = [{ id: MANGO, codename: 'Papaya' }, people[2] as (typeof people)[0]];
    expect(toWritten(stored, renamed)).toBe('@Papaya and @Blood Orange');
    expect(toStored(toWritten(stored, people), people)).toBe(stored);
  });

  it('stays an id when the admin is unknown', () => {
    expect(toWritten(`<@${MANGO}>`, [])).toBe(`<@${MANGO}>`);
  });
});

describe('a mention being typed', () => {
  it('starts with an @ at the start of a word, and ends at the caret', () => {
    expect(begunName('Hi @ma there', 6)).toEqual({ start: 3, query: 'ma' });
    expect(begunName('@', 1)).toEqual({ start: 0, query: '' });
    expect(begunName('(@bl', 4)).toEqual({ start: 1, query: 'bl' });
    for (const [text, caret] of [
      ['me@ma', 5],
      ['@ma there', 9],
      ['Hi', 2],
      ['@ma', 0],
    ] as const)
      expect(begunName(text, caret)).toBeNull();
  });

  it('suggests names that start with the text, then names that contain it', () => {
    const names = (query: string) =>
      matchingTeammates(query, people, 2).map(({ codename }) => codename);
    expect(names('o')).toEqual(['Mango', 'Blood']);
    expect(names('BLO')).toEqual(['Blood', 'Blood Orange']);
    expect(names('x')).toEqual([]);
  });
});
