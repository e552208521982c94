import { expect, it } from 'vitest';
import { keyNames } from './key-names.ts';

it.each([
  ['j', [['J']]],
  ['!', [['!']]],
  ['+', [['+']]],
  ['g i', [['G'], ['I']]],
  ['Alt+ArrowUp', [['Alt', '↑']]],
  ['Shift+Enter', [['Shift', '↵']]],
])('the shortcut %s is shown with the names of its keys', (shortcut, names) => {
  expect(keyNames(shortcut)).toEqual(names);
});
