import { expect, it } from 'vitest';
import { reasonWords } from './next-reasons.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

it.each([
  [{ kind: 'waiting', since: '2026-11-21T11:46:00.000Z' } as const, 'waiting 14 min'],
  [{ kind: 'mine' } as const, 'claimed by you'],
  [
    { kind: 'ends', status: 'trial', ends_at: '2026-11-21T20:00:00.000Z' } as const,
    'trial ends today',
  ],
  [
    { kind: 'ends', status: 'subscribed', ends_at: '2026-11-23T20:00:00.000Z' } as const,
    'subscription ends in 2 days',
  ],
  [{ kind: 'bought', bought: 3, offered: 5 } as const, 'bought 3 of 5'],
])('%j is described as: %s', (reason, words) => {
  expect(reasonWords(reason, NOW, 'UTC')).toBe(words);
});
