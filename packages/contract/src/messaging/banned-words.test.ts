import { expect, test } from 'vitest';
import { findBanned, isWord, prepareWords } from './banned-words.ts';

const found = (text: string, ...words: string[]) =>
  findBanned(text, prepareWords(words)).map(({ start, end, word }) => [
    text.slice(start, end),
    word,
  ]);

test.each([
  ['Meet me at my HOTEL!', 'hotel', 'HOTEL'],
  ['at the hôtel tonight', 'hotel', 'hôtel'],
  ['at the ho\u0302tel tonight', 'hotel', 'ho\u0302tel'],
  ['at the hotel tonight', 'Hôtel', 'hotel'],
  ['ho\u00adtel, ho\u200dtel', 'hotel', 'ho\u00adtel'],
  ['auf der STRASSE', 'straße', 'STRASSE'],
  ['ΟΔΟΣ', 'οδος', 'ΟΔΟΣ'],
  ['İSTANBUL', 'istanbul', 'İSTANBUL'],
  ['ｈｏｔｅｌ', 'hotel', 'ｈｏｔｅｌ'],
  ['pay by  cash-app now', 'cash app', 'cash-app'],
  ['don’t!', "don't", 'don’t'],
  ['привет, МИР', 'мир', 'МИР'],
  ['你去死吧', '去死', '去死'],
  ['an 🍆?', '🍆', '🍆'],
])('in “%s” the banned “%s” is found', (text, word, shown) => {
  expect(found(text, word)[0]).toEqual([shown, word]);
});

test.each([
  ['the hotels', 'hotel'],
  ['motelhotel', 'hotel'],
  ['hotel_1', 'hotel'],
  ['cash and app', 'cash app'],
  ['hot el', 'hotel'],
  ['', 'hotel'],
])('in “%s” the banned “%s” is not found: whole words only', (text, word) => {
  expect(found(text, word)).toEqual([]);
});

test('finds every match in order, with the word as spelled in the ban list', () => {
  expect(found('Cash, cash app and CASH', 'cash', 'Cash App')).toEqual([
    ['Cash', 'cash'],
    ['cash', 'cash'],
    ['cash app', 'Cash App'],
    ['CASH', 'cash'],
  ]);
});

test('positions are correct after two-unit characters and combining marks', () => {
  const text = '👩‍👩‍👧 é\u0301\u0301 x hotel';
  expect(found(text, 'hotel')).toEqual([['hotel', 'hotel']]);
});

test('text without letters, digits or symbols is not a word', () => {
  expect(['!', ' ', '…', '\u200b'].map(isWord)).toEqual([false, false, false, false]);
  expect(['a', '1', '🍆', '死'].map(isWord)).toEqual([true, true, true, true]);
});

test('searches a long text for 500 words without delay', () => {
  const words = Array.from({ length: 500 }, (_, index) => `word${index} and more`);
  const text = 'nothing of it, '.repeat(650);
  expect(findBanned(text, prepareWords(words))).toEqual([]);
});
