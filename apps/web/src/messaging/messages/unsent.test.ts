import { expect, it } from 'vitest';
import { DRAFT_LIFE_MS, parseDrafts } from '../composer/drafts.ts';
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

it('the tray shows what was given up', () => {
  expect(shown(unsent({ error: 'Failed to send message' }))).toBe(true);
});

it('the tray shows what a reload of this tab interrupted, and not what it still sends', () => {
  expect(shown(unsent({}))).toBe(true);
  expect(shown(unsent({}), ['temp-1'])).toBe(false);
});

it('the tray leaves other tabs their sends, until these must be dead', () => {
  expect(shown(unsent({ tab: 'other', startedAt: NOW - 30_000 }))).toBe(false);
  expect(shown(unsent({ tab: 'other', startedAt: NOW - 61_000 }))).toBe(true);
});

it('the tray never shows one fan’s message at another', () => {
  expect(shown(unsent({ conversation_id: 'c2', error: 'x' }))).toBe(false);
});

it('drafts are forgotten after seven days', () => {
  const draft = (savedAt: number) => ({ text: 'x', replyTo: null, savedAt });
  const text = JSON.stringify({
    old: draft(NOW - DRAFT_LIFE_MS),
    young: draft(NOW - DRAFT_LIFE_MS + 1),
  });
  expect(Object.keys(parseDrafts(text, NOW))).toEqual(['young']);
});
