import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { urlOf } from '@stagedoor/contract/endpoint-url';
import { inbox, inboxStats } from '@stagedoor/contract/inbox/conversations';
import { expect, test } from 'vitest';
import { takeEarly } from './early.ts';

const SCRIPT = readFileSync(new URL('../../../public/early.js', import.meta.url), 'utf8');

/** Runs the script on the page at a path. @returns the requested paths, and the value of `stagedoorEarly` */
function runEarly(pathname: string, token: string | null) {
  const asked: string[] = [];
  const window: { stagedoorEarly?: unknown } = {};
  runInNewContext(SCRIPT, {
    window,
    location: { pathname },
    localStorage: { getItem: () => token },
    URLSearchParams,
    AbortSignal,
    Intl,
    fetch: async (path: string) => {
      asked.push(path);
      return path;
    },
  });
  return { asked, early: window.stagedoorEarly };
}

const tz = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
const LIST = urlOf(inbox.path, {
  query: { limit: 20, filter: 'unread', sort: 'unread_first' },
});
const STATS = urlOf(inboxStats.path, { query: { tz } });

test('early requests are exactly the inbox’s first requests', () => {
  for (const path of ['/', '/inbox', '/inbox/some-id', '/messages/some-id'])
    expect(runEarly(path, 'token').asked).toEqual([LIST, STATS]);
});

test('no early requests are sent for other pages or when signed out', () => {
  for (const path of ['/login', '/console', '/products', '/inboxes'])
    expect(runEarly(path, 'token').asked).toEqual([]);
  expect(runEarly('/inbox', null).asked).toEqual([]);
});

test('an early response is used once, and only by the same session', async () => {
  const page = globalThis as { stagedoorEarly?: unknown };
  page.stagedoorEarly = runEarly('/inbox', 'token').early;
  expect(await takeEarly('/api/other', 'token')).toBeNull();
  expect(await takeEarly(LIST, 'token')).toBe(LIST);
  expect(await takeEarly(LIST, 'token')).toBeNull();
  expect(await takeEarly(STATS, 'another token')).toBeNull();
  expect(await takeEarly(STATS, 'token')).toBeNull();
});

test('a failed early request is sent again', async () => {
  const page = globalThis as { stagedoorEarly?: unknown };
  const reply = Promise.reject(new TypeError('offline'));
  reply.catch(() => undefined);
  page.stagedoorEarly = [{ path: LIST, token: 'token', reply }];
  expect(await takeEarly(LIST, 'token')).toBeNull();
});
