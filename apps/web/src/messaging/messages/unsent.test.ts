import { expect, it } from 'vitest';
import { DRAFT_LIFE_MS, isCurrent } from '../composer/drafts.ts';
import { abandoned, type UnsentMessage } from './unsent.ts';

const NOW = 1_000_000;
const unsent = (overrides: Partial<UnsentMessage>): UnsentMessage => ({
  tempId: 'temp-1',
  conversation_id: 'c1',
  content: 'Hello',
  replyTo: null,
  attachments: [],
  error: null,
  tab: 'here',
  startedAt: NOW,
  ...overrides,
});
const shown = (message: UnsentMessage, pending: string[] = []) =>
  abandoned([message], 'c1', (tempId) => pending.includes(tempId), { tab: 'here', now: NOW })
    .length === 1;

it('the tray shows failed sends', () => {
  expect(shown(unsent({ error: 'Failed to send message' }))).toBe(true);
});

it('the tray shows sends interrupted by a reload of this tab, but not those in progress', () => {
  expect(shown(unsent({}))).toBe(true);
  expect(shown(unsent({}), ['temp-1'])).toBe(false);
});

it('the tray ignores the sends of other tabs until they have timed out', () => {
  expect(shown(unsent({ tab: 'other', startedAt: NOW - 30_000 }))).toBe(false);
  expect(shown(unsent({ tab: 'other', startedAt: NOW - 61_000 }))).toBe(true);
});

it('the tray never shows one fan’s message in another conversation', () => {
  expect(shown(unsent({ conversation_id: 'c2', error: 'x' }))).toBe(false);
});

it('drafts expire after seven days', () => {
  expect(isCurrent({ savedAt: NOW - DRAFT_LIFE_MS }, NOW)).toBe(false);
  expect(isCurrent({ savedAt: NOW - DRAFT_LIFE_MS + 1 }, NOW)).toBe(true);
});
