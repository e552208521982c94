import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@stagedoor/sample-data/random';
import type { World } from './world.ts';

/** How often `midRush` checks the confirmed sends, and for how long. Milliseconds. */
const POLL_MS = 1;
const PATIENCE = 5_000;

let rushes = 0;

/**
 * Sends `messages` messages at once to one conversation, from the staff and platform clients, in addition to the workload.
 * @returns resolves once each message is confirmed or has failed
 */
export function rush(world: World, random: Random, messages: number): Promise<unknown> {
  const { ledger, clients } = world;
  const writers = clients.filter(({ kind }) => kind === 'staff' || kind === 'platform');
  const conversation = random.pick([...world.fans.keys()]);
  const name = `rush${++rushes}`;
  return Promise.all(
    Array.from({ length: messages }, async (_, index) => {
      const writer = writers[index % writers.length];
      if (writer === undefined) return;
      await ledger.send(`${name}.${index + 1}`, writer, conversation);
    }),
  );
}

/** Starts a rush and resolves in the middle of it, when some messages are confirmed and the others pending. */
export async function midRush(world: World, random: Random, messages: number): Promise<void> {
  const { ledger } = world;
  const before = ledger.count('confirmed');
  void rush(world, random, messages);
  const enough = before + 1 + Math.floor(random.next() * (messages / 2));
  const deadline = Date.now() + PATIENCE;
  while (ledger.count('confirmed') < enough && Date.now() < deadline) await sleep(POLL_MS);
}
