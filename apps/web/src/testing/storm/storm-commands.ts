import fc from 'fast-check';
import type { Action } from '../../messaging/conversation/actions.ts';
import type { ConsoleTab } from './console-tab.ts';
import { ME, Refusal, TEAMMATE } from './model-server.ts';
import type { World } from './world.ts';

type Command = fc.AsyncCommand<object, World>;

/** Time steps in milliseconds, shorter and longer than the delays of the app. */
const SPANS = [0, 100, 300, 600, 1_000, 2_500, 6_000] as const;

/** Creates a command that prints as its name and arguments. */
function command<P>(name: string, given: P, act: (world: World, given: P) => unknown): Command {
  return {
    check: () => true,
    async run(_model, world) {
      try {
        await act(world, given);
      } catch (error) {
        // Ignored: the command is no longer possible.
        if (!(error instanceof Refusal)) throw error;
      }
      await world.pass(0);
      world.expectSound();
    },
    toString: () => `${name}(${JSON.stringify(given)})`,
  };
}

/** Creates a kind of command for {@link fc.commands}, `weight` times as frequent as a kind with weight 1. */
function kind<P>(
  weight: number,
  name: string,
  given: fc.Arbitrary<P>,
  act: (world: World, given: P) => unknown,
): fc.Arbitrary<Command>[] {
  const arbitrary = given.map((value) => command(name, value, act));
  return Array.from({ length: weight }, () => arbitrary);
}

const which = fc.nat(11);
const tab = fc.nat(1);
const index = fc.nat(4);
const emoji = fc.constantFrom('👍' as const, '🔥' as const);
const status = fc.constantFrom('active' as const, 'archived' as const, 'flagged' as const);
const tags = fc.subarray(['g1', 'g2']);
const list = fc.record({
  filter: fc.constantFrom(
    'unread' as const,
    'needs_reply' as const,
    'mine' as const,
    'all' as const,
    'archived' as const,
  ),
  sort: fc.constantFrom('unread_first' as const, 'newest' as const, 'longest_waiting' as const),
  tag: fc.constantFrom(null, null, null, 'g1'),
  segment: fc.constant(null),
});
const action = fc.constantFrom<Action>(
  'claim',
  'release',
  'archive',
  'unarchive',
  'flag',
  'unflag',
);

const until = fc.constantFrom(null, '2026-12-01T09:00:00.000Z');

/** Returns the id of an existing conversation. */
function idAt({ server }: World, index: number): string {
  const ids = [...server.held.keys()];
  const id = ids[index % Math.max(1, ids.length)];
  if (id === undefined) throw new Refusal(404, 'conversation_not_found');
  return id;
}

function changed(world: World, id: string, isEmitted: boolean): void {
  if (isEmitted) world.server.emitUpdated(id);
  else world.unemitted.push(id);
}

function send(world: World, sender: ConsoleTab): void {
  const text = `Reply ${world.sent.size}`;
  const { openId } = sender;
  if (openId !== null && sender.send(text)) world.sent.set(text, openId);
}

/** Actions of fans and a teammate. */
const others = [
  ...kind(6, 'fanWrites', which, (world, n) => world.server.write(idAt(world, n), 'fan')),
  ...kind(1, 'newFanWrites', fc.nat(2), (world, more) => {
    const id = world.server.newFan();
    for (let n = 0; n <= more; n += 1) world.server.write(id, 'fan');
  }),
  ...kind(2, 'teammateWrites', which, (world, n) => world.server.write(idAt(world, n), TEAMMATE)),
  ...kind(2, 'teammateReads', fc.tuple(which, fc.nat(9)), (world, [n, upTo]) =>
    world.server.read(idAt(world, n), upTo),
  ),
  ...kind(1, 'fanReads', which, (world, n) => world.server.fanReads(idAt(world, n))),
  ...kind(
    1,
    'reacts',
    fc.tuple(which, which, fc.constantFrom('fan', ME.id), emoji),
    (world, [n, at, user, what]) => world.server.react(idAt(world, n), at, user, what),
  ),
  ...kind(2, 'teammateClaims', fc.tuple(which, fc.boolean()), (world, [n, isEmitted]) => {
    const id = world.server.claim(idAt(world, n), TEAMMATE).id;
    changed(world, id, isEmitted);
  }),
  ...kind(1, 'teammateReleases', fc.tuple(which, fc.boolean()), (world, [n, isEmitted]) => {
    const id = world.server.release(idAt(world, n), TEAMMATE).id;
    changed(world, id, isEmitted);
  }),
  ...kind(
    2,
    'teammateSetsStatus',
    fc.tuple(which, status, fc.boolean()),
    (world, [n, to, isEmitted]) => {
      const id = world.server.setStatus(idAt(world, n), to).id;
      changed(world, id, isEmitted);
    },
  ),
  ...kind(2, 'teammateMarksUnread', fc.tuple(which, fc.boolean()), (world, [n, isEmitted]) => {
    const id = world.server.markUnread(idAt(world, n)).id;
    changed(world, id, isEmitted);
  }),
  ...kind(
    2,
    'teammateSnoozes',
    fc.tuple(which, until, fc.boolean()),
    (world, [n, to, isEmitted]) => {
      const id = world.server.snooze(idAt(world, n), to).id;
      changed(world, id, isEmitted);
    },
  ),
  ...kind(2, 'wakes', fc.tuple(which, fc.boolean()), (world, [n, isEmitted]) => {
    const id = world.server.wake(idAt(world, n)).id;
    changed(world, id, isEmitted);
  }),
  ...kind(2, 'teammateTags', fc.tuple(which, tags, fc.boolean()), (world, [n, ids, isEmitted]) => {
    const id = idAt(world, n);
    world.server.setTags(id, ids);
    changed(world, id, isEmitted);
  }),
  ...kind(1, 'tagRenamed', fc.constantFrom('g1', 'g2'), (world, id) => world.server.renameTag(id)),
  ...kind(1, 'tagDeleted', fc.constantFrom('g1', 'g2'), (world, id) => world.server.deleteTag(id)),
  ...kind(1, 'erased', which, (world, n) => world.server.erase(idAt(world, n))),
  ...kind(1, 'emitsLate', fc.constant(null), (world) => world.emitLate()),
];

/** Actions of the admin in one of the tabs. */
const own = [
  ...kind(3, 'show', fc.tuple(tab, list), (world, [t, params]) => world.tab(t).show(params)),
  ...kind(2, 'loadMore', tab, (world, t) => world.tab(t).loadMore()),
  ...kind(3, 'open', fc.tuple(tab, which), (world, [t, n]) => world.tab(t).open(idAt(world, n))),
  ...kind(1, 'leave', tab, (world, t) => world.tab(t).open(null)),
  ...kind(2, 'loadOlder', tab, (world, t) => world.tab(t).loadOlder()),
  ...kind(3, 'send', tab, (world, t) => send(world, world.tab(t))),
  ...kind(3, 'read', tab, (world, t) => world.tab(t).read()),
  ...kind(3, 'act', fc.tuple(tab, action), (world, [t, what]) => world.tab(t).act(what)),
  ...kind(1, 'marksUnread', tab, (world, t) => world.tab(t).markUnread()),
  ...kind(1, 'snoozes', fc.tuple(tab, until), (world, [t, to]) => world.tab(t).snooze(to)),
  ...kind(1, 'endsSnooze', tab, (world, t) => world.tab(t).endSnooze()),
  ...kind(1, 'saveTags', fc.tuple(tab, tags), (world, [t, ids]) => world.tab(t).saveTags(ids)),
  ...kind(1, 'look', tab, (world, t) => world.tab(t).look()),
];

/** Deliveries, losses and interruptions on a tab's connection, and the passing of time. */
const weather = [
  ...kind(10, 'deliver', fc.tuple(tab, index, fc.boolean()), (world, [t, n, twice]) =>
    world.tab(t).network.deliver(n, twice),
  ),
  ...kind(2, 'dropEvent', fc.tuple(tab, index), (world, [t, n]) => {
    if (world.loses !== 'nothing') world.tab(t).network.dropEvent(n, world.loses === 'sequenced');
  }),
  ...kind(1, 'repeat', tab, (world, t) => world.tab(t).network.repeat()),
  ...kind(4, 'receiveRequest', fc.tuple(tab, index), (world, [t, n]) =>
    world.tab(t).network.receiveRequest(n),
  ),
  ...kind(8, 'answer', fc.tuple(tab, index), (world, [t, n]) => world.tab(t).network.answer(n)),
  ...kind(2, 'fail', fc.tuple(tab, index), (world, [t, n]) => world.tab(t).network.fail(n)),
  ...kind(
    1,
    'refuse',
    fc.tuple(tab, index, fc.constantFrom(429 as const, 503 as const)),
    (world, [t, n, how]) => world.tab(t).network.refuse(n, how),
  ),
  ...kind(1, 'cut', tab, (world, t) => world.tab(t).network.cut()),
  ...kind(2, 'restore', tab, (world, t) => world.tab(t).network.restore()),
  ...kind(6, 'pass', fc.constantFrom(...SPANS), (world, ms) => world.pass(ms)),
  ...kind(2, 'calm', fc.constant(null), (world) => world.calm()),
];

/** Sequences of commands. `replayPath` is printed with a failure. */
export const storms = (options: { maxCommands: number; replayPath?: string }) =>
  fc.commands([...others, ...own, ...weather], { size: 'max', ...options });
