import { expect, test } from 'vitest';
import { compare } from './campaign.ts';

const sent = (conversation_id: string) =>
  ({ conversation_id, state: 'sent', message_id: `message to ${conversation_id}` }) as const;
const skipped = { conversation_id: 'c', state: 'skipped', message_id: null } as const;
const SOUND = { undecided: 0, contradicted: 0 };

test('fans who were sent the mass message have it once, and others don’t have it', () => {
  const received = new Map([
    ['a', ['message to a']],
    ['c', []],
  ]);
  expect(compare([sent('a'), skipped], received)).toEqual(SOUND);
});

test('a fan of the audience has exactly one recipient, and it is decided', () => {
  const received = new Map([['a', ['message to a']]]);
  expect(compare([sent('a'), sent('a')], received)).toEqual({ ...SOUND, undecided: 1 });
  expect(compare([], new Map([['a', []]]))).toEqual({ ...SOUND, undecided: 1 });
  const pending = { conversation_id: 'c', state: 'pending', message_id: null } as const;
  expect(compare([pending], new Map([['c', []]]))).toEqual({ ...SOUND, undecided: 1 });
});

test('a mass message that a fan has twice, not at all, or despite being skipped is wrong', () => {
  const wrong = { ...SOUND, contradicted: 1 };
  for (const messages of [['message to a', 'another'], [], ['another']])
    expect(compare([sent('a')], new Map([['a', messages]]))).toEqual(wrong);
  expect(compare([skipped], new Map([['c', ['one']]]))).toEqual(wrong);
});
