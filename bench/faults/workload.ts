import { setTimeout as sleep } from 'node:timers/promises';
import {
  claimConversation,
  markRead,
  releaseConversation,
} from '@stagedoor/contract/inbox/conversations';
import type { Client } from './client.ts';
import { reasonOf } from './ledger.ts';
import { clientCall } from './persist.ts';
import type { World } from './world.ts';

/** Average time between a console tab's reads, and between a staff member's claims or releases. Milliseconds. */
const READS_EVERY_MS = 60;
const CLAIMS_EVERY_MS = 300;

/** The activity during a run. */
export interface Workload {
  /** Stops starting new work, and resolves once the work in progress has finished. */
  stop(): Promise<void>;
}

/** Has all clients send, read, claim and release until it is stopped. */
export function startWorkload(world: World): Workload {
  let isOver = false;
  const { ledger, random } = world;
  const conversations = [...world.fans.keys()];
  const somewhere = () => random.pick(conversations);

  async function send(client: Client, index: number): Promise<void> {
    const sender = client.senders > 1 ? `${client.name}.${index}` : client.name;
    while (!isOver) {
      const conversation = client.conversation ?? somewhere();
      await ledger.send(sender, client, conversation);
      await sleep(client.pauseMs * (0.5 + random.next() / 2));
    }
  }

  const again = async (everyMs: number, act: () => Promise<unknown>): Promise<void> => {
    while (!isOver) {
      await sleep(everyMs * (0.5 + random.next()));
      // A failed read or claim doesn't matter, because more follow.
      await act().catch((error: unknown) => world.log(`  ${reasonOf(error)}`));
    }
  };

  const owner = clientCall(world.url, world.ownerToken, ledger);
  const readers = world.consoles.map((tab) =>
    again(READS_EVERY_MS, async () => {
      const id = somewhere();
      const upTo = tab.newestFanMessage(id);
      if (upTo === null) return;
      await owner(markRead, { params: { id }, body: { up_to_message_id: upTo } }).catch(ignore);
    }),
  );
  const claimants = world.staff.map(({ call }) =>
    again(CLAIMS_EVERY_MS, async () => {
      const id = somewhere();
      const act = random.chance(0.5) ? claimConversation : releaseConversation;
      await call(act, { params: { id } }).catch(ignore);
    }),
  );
  const senders = world.clients.flatMap((client) =>
    Array.from({ length: client.senders }, (_, index) => send(client, index + 1)),
  );
  const all = [...senders, ...readers, ...claimants];
  return {
    async stop() {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Failures are already counted by `onOutcome`. */
const ignore = () => undefined;
