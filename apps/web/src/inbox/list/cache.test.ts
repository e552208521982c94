import type { Conversation, InboxFilter, InboxSort } from '@stagedoor/contract/inbox/conversations';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildConversation, buildPage } from '../../testing/build-conversation.ts';
import { at } from '../../testing/build-message.ts';
import {
  applyChange,
  belongs,
  compareIn,
  findInList,
  inboxRows,
  inboxTotal,
  type ListView,
  mergeFirstPage,
  putInList,
  withPins,
} from './cache.ts';
import type { InboxList } from './queries.ts';

const view = (filter: InboxFilter, sort: InboxSort = 'unread_first'): ListView => ({
  filter,
  sort,
  tag: null,
  segment: null,
  adminId: 'me',
});
const listOf = (...pages: InboxList['pages']): InboxList => ({
  pages,
  pageParams: pages.map(() => null),
});
const ids = (list: InboxList) => inboxRows(list).map(({ id }) => id);

const a = buildConversation({
  id: 'a',
  unread_count: 1,
  last_message_at: at(30),
  waiting_since: at(30),
});
const b = buildConversation({
  id: 'b',
  unread_count: 2,
  last_message_at: at(20),
  waiting_since: at(10),
});
const c = buildConversation({ id: 'c', last_message_at: at(40) });
const d = buildConversation({ id: 'd', last_message_at: at(10) });

describe('a change of a conversation', () => {
  it('is applied if it is newer, and ignored otherwise', () => {
    expect(applyChange(a, { id: 'a', version: 2, unread_count: 0 }).unread_count).toBe(0);
    expect(applyChange(a, { id: 'a', version: 1, unread_count: 0 })).toBe(a);
  });
});

describe('pinned conversations', () => {
  const rows = [a, b, c, d];
  const shown = (...input: Parameters<typeof withPins>) => withPins(...input).map(({ id }) => id);

  it('come before the others, in the order of their pins, without duplicates', () => {
    expect(shown(rows, [d, b], view('all'))).toEqual(['d', 'b', 'a', 'c']);
  });

  it('come first even if their own position is not loaded', () => {
    expect(shown([a], [d], view('all'))).toEqual(['d', 'a']);
  });

  it('only appear in tabs that they belong to', () => {
    expect(shown([a, b], [d, b], view('unread'))).toEqual(['b', 'a']);
    expect(withPins(rows, [], view('all'))).toBe(rows);
  });
});

describe('the needs-reply queue', () => {
  const list = listOf(buildPage([b, a]));
  const needs = view('needs_reply', 'newest');

  it('is ordered by waiting time, whatever the sort order', () => {
    const e = buildConversation({ id: 'e', waiting_since: at(20), last_message_at: at(50) });
    expect(ids(putInList(list, needs, e))).toEqual(['b', 'e', 'a']);
  });

  it.each([
    ['answered', { waiting_since: null }],
    ['archived', { status: 'archived' as const }],
    ['snoozed', { snooze: { until: null } }],
  ])('drops a conversation that is %s', (_how, change) => {
    expect(ids(putInList(list, needs, { ...b, ...change, version: 2 }))).toEqual(['a']);
  });
});

describe('the sort order', () => {
  const sorted = (sort: InboxSort) =>
    [a, b, c, d].toSorted((x, y) => compareIn(sort, x, y)).map(({ id }) => id);

  it('puts unread conversations first, then the newest', () => {
    expect(sorted('unread_first')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('newest ignores unread counts', () => {
    expect(sorted('newest')).toEqual(['c', 'a', 'b', 'd']);
  });

  it('longest waiting puts the longest wait first and answered conversations last', () => {
    expect(sorted('longest_waiting')).toEqual(['b', 'a', 'c', 'd']);
  });

  it('treats missing and invalid dates as oldest, with the id as tie-breaker', () => {
    const none = buildConversation({ id: 'x', last_message_at: null });
    const invalid = buildConversation({ id: 'y', last_message_at: 'no date' });
    expect(
      [none, d, invalid].toSorted((x, y) => compareIn('newest', x, y)).map(({ id }) => id),
    ).toEqual(['d', 'y', 'x']);
  });
});

describe('a list', () => {
  it('moves a conversation with a new message to its position', () => {
    const list = listOf(buildPage([a, b, c, d]));
    const next = { ...d, version: 2, unread_count: 1, last_message_at: at(50) };
    expect(ids(putInList(list, view('all'), next))).toEqual(['d', 'a', 'b', 'c']);
  });

  it('with a tag filter contains only tagged fans, by library id or case-insensitive label', () => {
    const tag = { id: 't', label: 'VIP', color: null, isGlobal: true, globalTagId: 'g1' };
    const tagged = { ...a, fan: { ...a.fan, admin_tags: [tag] } };
    for (const [value, isIn] of [
      ['g1', true],
      ['vip', true],
      ['VI', false],
    ] as const) {
      expect(belongs({ ...view('all'), tag: value }, tagged)).toBe(isIn);
      expect(belongs({ ...view('all'), tag: value }, a)).toBe(false);
    }
  });

  it('removes a conversation that no longer belongs, and lowers the total', () => {
    const list = putInList(listOf(buildPage([a, b])), view('unread'), {
      ...a,
      version: 2,
      unread_count: 0,
    });
    expect(ids(list)).toEqual(['b']);
    expect(inboxTotal(list)).toBe(1);
  });

  it('adds a conversation that belongs now', () => {
    const list = putInList(
      listOf(buildPage([a])),
      view('mine'),
      { ...c, version: 2, claimed_by: 'me' },
      c,
    );
    expect(ids(list)).toEqual(['a', 'c']);
    expect(inboxTotal(list)).toBe(2);
  });

  it('applies its filters', () => {
    const archived = buildConversation({
      id: 'x',
      status: 'archived',
      unread_count: 1,
      claimed_by: 'me',
    });
    const filters: InboxFilter[] = ['unread', 'mine', 'all', 'archived'];
    expect(filters.map((filter) => belongs(view(filter), archived))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(filters.map((filter) => belongs(view(filter), c))).toEqual([false, false, true, false]);
  });

  it('ignores older versions', () => {
    const list = listOf(buildPage([{ ...a, version: 5 }]));
    expect(
      inboxRows(putInList(list, view('all'), { ...a, version: 4, unread_count: 9 }))[0]
        ?.unread_count,
    ).toBe(1);
  });

  it('leaves out a row whose position is not loaded yet, but counts it', () => {
    const list = putInList(listOf(buildPage([a, b], 'cursor', 9)), view('all'), {
      ...a,
      version: 2,
      unread_count: 0,
    });
    expect(ids(list)).toEqual(['b']);
    expect(inboxTotal(list)).toBe(9);
  });

  it('keeps a row between the last row and the end of the last page', () => {
    const moved = putInList(listOf(buildPage([a, b], 'cursor', 9)), view('all', 'newest'), {
      ...b,
      version: 2,
      last_message_at: at(60),
    });
    const between = putInList(moved, view('all', 'newest'), {
      ...d,
      version: 2,
      last_message_at: at(25),
    });
    expect(ids(between)).toEqual(['b', 'a', 'd']);
  });

  it('shows a row that is in two pages once, in its newer version', () => {
    const list = listOf(
      buildPage([a, b], 'cursor'),
      buildPage([{ ...a, version: 3, unread_count: 7 }, c]),
    );
    expect(ids(list)).toEqual(['b', 'a', 'c']);
    expect(inboxRows(list)[1]?.unread_count).toBe(7);
  });

  it('shows a row once if a later page contains it again after events moved others', () => {
    const first = listOf(buildPage([c, a], 'cursor'));
    expect(ids(first)).toEqual(['c', 'a']);
    const moved = putInList(first, view('all', 'newest'), {
      ...a,
      version: 2,
      last_message_at: at(50),
    });
    expect(ids(moved)).toEqual(['a', 'c']);
    expect(ids(listOf(...moved.pages, buildPage([a, d])))).toEqual(['a', 'c', 'd']);
  });

  it('keeps the page objects that a move does not affect', () => {
    const list = listOf(buildPage([c], '1'), buildPage([a], '2'), buildPage([b], '3'));
    const move = (held: InboxList, version: number) =>
      putInList(held, view('all', 'newest'), { ...a, version, last_message_at: at(50 + version) });
    const once = move(list, 2);
    const twice = move(once, 3);
    expect(twice.pages.map((page, at) => page === once.pages[at])).toEqual([false, true, true]);
    expect(ids(twice)).toEqual(['a', 'c', 'b']);
  });
});

describe('a refetched first page', () => {
  it('adds new conversations at their positions and updates known ones', () => {
    const merged = mergeFirstPage(
      listOf(buildPage([b, d])),
      view('all'),
      buildPage([a, { ...b, version: 3, unread_count: 5 }, d]),
    );
    expect(ids(merged.list)).toEqual(['a', 'b', 'd']);
    expect(inboxRows(merged.list)[1]?.unread_count).toBe(5);
    expect(merged.hole).toBe(false);
  });

  it('reports when so much is new that rows may be missing after it', () => {
    expect(
      mergeFirstPage(listOf(buildPage([c, d], 'x')), view('all'), buildPage([a, b], 'y')).hole,
    ).toBe(true);
  });
});

const change = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
  unread_count: fc.nat(2),
  at: fc.nat(50),
  archived: fc.boolean(),
  mine: fc.boolean(),
  repeated: fc.boolean(),
});

it('after any events, contains the same as a fresh fetch of the same range', () => {
  const filters = fc.constantFrom<InboxFilter>('unread', 'mine', 'all', 'archived');
  const sorts = fc.constantFrom<InboxSort>('unread_first', 'newest', 'longest_waiting');
  fc.assert(
    fc.property(
      filters,
      sorts,
      fc.integer({ min: 1, max: 4 }),
      fc.array(change),
      (filter, sort, size, changes) => {
        const looked = view(filter, sort);
        const world = new Map<string, Conversation>(
          ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id, n) => {
            const unread = {
              unread_count: n % 3,
              last_message_at: at(n * 5),
              waiting_since: n % 3 ? at(n * 3) : null,
            };
            return [id, buildConversation({ id, ...unread, claimed_by: n % 2 ? 'me' : null })];
          }),
        );
        const members = () =>
          [...world.values()]
            .filter((row) => belongs(looked, row))
            .toSorted((x, y) => compareIn(sort, x, y));
        const first = members();
        const pages = [first.slice(0, size), first.slice(size, size * 2)];
        const boundary = first[size * 2 - 1];
        const whole = first.length <= size * 2;
        let list = listOf(
          buildPage(pages[0] ?? [], first.length > size ? '1' : null, first.length),
          ...(first.length > size
            ? [buildPage(pages[1] ?? [], whole ? null : '2', first.length)]
            : []),
        );
        for (const { id, archived, mine, repeated, ...rest } of changes) {
          const before = world.get(id) as Conversation;
          const next: Conversation = {
            ...before,
            version: before.version + 1,
            unread_count: rest.unread_count,
            last_message_at: at(rest.at),
            waiting_since: rest.unread_count > 0 ? at(rest.at) : null,
            status: archived ? 'archived' : 'active',
            claimed_by: mine ? 'me' : null,
          };
          world.set(id, next);
          list = putInList(list, looked, next, before);
          // Unknown conversations are fetched from the server, so an older state can only meet an existing row.
          if (repeated && findInList(list, id)) list = putInList(list, looked, before, null);
          if (repeated) list = putInList(list, looked, next, next);
        }
        const expected = members().filter(
          (row) => whole || (boundary !== undefined && compareIn(sort, row, boundary) <= 0),
        );
        expect(inboxRows(list)).toEqual(expected);
        expect(inboxTotal(list)).toBe(members().length);
      },
    ),
    { numRuns: 1000 },
  );
});
