import { setTimeout as sleep } from 'node:timers/promises';
import { markRead } from '@stagedoor/contract/inbox/conversations';
import { CallError, caller } from '../lib/calls.ts';
import { CALL_TIMEOUT_MS } from './persist.ts';
import type { World } from './world.ts';

const TRIES = 20;
const RETRY_MS = 250;

/**
 * Ends every conversation the same way: the fan writes twice, staff mark the first of these messages as read, and the fan
 * writes once more. No event follows, so a wrong unread count or a missed event stays visible to the checks.
 */
export async function lastWords(world: World): Promise<void> {
  const { ledger } = world;
  const writer = world.clients.find(({ kind }) => kind === 'platform');
  if (writer === undefined) return;
  const call = caller({ url: world.url, token: world.ownerToken, timeoutMs: CALL_TIMEOUT_MS });
  const write = async (conversation: string): Promise<string | null> => {
    const outcome = await ledger.send('last', writer, conversation);
    return 'id' in outcome ? outcome.id : null;
  };
  for (const id of world.fans.keys()) {
    const seen = await write(id);
    await write(id);
    const body = seen === null ? {} : { up_to_message_id: seen };
    for (let tries = 1; ; tries++) {
      try {
        await call(markRead, { params: { id }, body });
        break;
      } catch (error) {
        // 404: a confirmed message is missing. The check of the stored messages reports it.
        if (error instanceof CallError && error.status === 404) break;
        if (tries === TRIES) throw error;
        await sleep(RETRY_MS);
      }
    }
    await write(id);
  }
}
