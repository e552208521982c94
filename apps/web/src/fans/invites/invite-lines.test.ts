import { expect, test } from 'vitest';
import { readInviteLines } from './invite-lines.ts';

test('each line is an address; blank and duplicate lines are left out', () => {
  const text = '\n ana@example.com \r\n\n  \nBEN@example.com\nana@EXAMPLE.com\n';
  expect(readInviteLines(text)).toEqual({
    addresses: ['ana@example.com', 'ben@example.com'],
    problems: [{ line: 6, address: 'ana@example.com', text: 'Same as line 2' }],
  });
});

test('an invalid line is reported by its number, but still sent for the server to check', () => {
  const { addresses, problems } = readInviteLines('ana@example.com\nben\na@x.example');
  expect(addresses).toHaveLength(3);
  expect(problems).toEqual([{ line: 2, address: 'ben', text: 'Not a valid email address' }]);
});

test('commas, semicolons and spaces also separate addresses', () => {
  const text = 'a@x.example, b@x.example;c@x.example d@x.example;\nnobody, a@x.example';
  expect(readInviteLines(text)).toEqual({
    addresses: ['a@x.example', 'b@x.example', 'c@x.example', 'd@x.example', 'nobody'],
    problems: [
      { line: 2, address: 'nobody', text: 'Not a valid email address' },
      { line: 2, address: 'a@x.example', text: 'Same as line 1' },
    ],
  });
});

test('the line being typed is included, but its problem is not reported', () => {
  const typing = readInviteLines('nobody\nana@exa', true);
  expect(typing.addresses).toHaveLength(2);
  expect(typing.problems.map(({ line }) => line)).toEqual([1]);
  expect(readInviteLines('nobody\nana@exa').problems).toHaveLength(2);
});

test('blank text has no addresses', () => {
  expect(readInviteLines(' \n\r\n ')).toEqual({ addresses: [], problems: [] });
});
