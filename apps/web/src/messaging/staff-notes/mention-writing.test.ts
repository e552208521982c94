import { mentionedIn } from '@stagedoor/contract/messaging/mention-text';
import { describe, expect, it } from 'vitest';
import { begunName, meantBy, toStored, toWritten } from './mention-writing.ts';

const [MANGO, BLOOD, ORANGE] = ['a', 'b', 'c'].map(
  (digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`,
) as [string, string, string];
const people = [
  { id: MANGO, codename: 'Mango' },
  { id: BLOOD, codename: 'Blood' },
  { id: ORANGE, codename: 'Blood Orange' },
];

describe('a written name', () => {
  it('is stored as the one who has it, in whatever case, the longest name first', () => {
    expect(toStored('Hi @mango, ask @Blood Orange or (@Blood).', people)).toBe(
      `Hi <@${MANGO}>, ask <@${ORANGE}> or (<@${BLOOD}>).`,
    );
  });

  it('is no name within a word or an address, nor where nobody has it', () => {
    for (const text of ['me@mango.example', '@Mangosteen', '@Kiwi', '@', 'no name'])
      expect(toStored(text, people)).toBe(text);
  });

  it('reads the same when it is written on, with the names of now', () => {
    const stored = toStored('@Mango and @Blood Orange', people);
    expect(mentionedIn(stored)).toEqual([MANGO, ORANGE]);
    const renamed = [{ id: MANGO, codename: 'Papaya' }, people[2] as (typeof people)[0]];
    expect(toWritten(stored, renamed)).toBe('@Papaya and @Blood Orange');
    expect(toStored(toWritten(stored, people), people)).toBe(stored);
  });

  it('stays an id where nobody is known by it', () => {
    expect(toWritten(`<@${MANGO}>`, [])).toBe(`<@${MANGO}>`);
  });
});

describe('a name that is being typed', () => {
  it('begins with an @ at the beginning of a word, and ends at the caret', () => {
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

  it('may mean those whose names begin so, and then those whose names hold it', () => {
    const names = (query: string) => meantBy(query, people, 2).map(({ codename }) => codename);
    expect(names('o')).toEqual(['Mango', 'Blood']);
    expect(names('BLO')).toEqual(['Blood', 'Blood Orange']);
    expect(names('x')).toEqual([]);
  });
});
