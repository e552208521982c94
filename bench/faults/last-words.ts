import { markRead } from '@stagedoor/contract/inbox/conversations';
import { CallError, caller } from '../demo/calls.ts';
import { pause } from './client.ts';
import { CALL_TIMEOUT_MS } from './persist.ts';
import type { World } from './world.ts';

const TRIES = 20;
const AGAIN_MS = 250;

/**
 * How every conversation ends: its fan writes twice, staff have seen the first of these and mark it as read, and the fan
 * writes once more. So that what was counted wrongly stays so, and what was told last can't be made up for by what comes
 * after it.
 */
export async function lastWords(world: World): Promise<void> {
  const { ledger } = world;
  const writer = world.clients.find(({ kind }) => kind === 'platform');
  if (writer === undefined) return;
  const call = caller({ url: world.url, token: world.ownerToken, timeoutMs: CALL_TIMEOUT_MS });
  const write = async (conversation: string): Promise<string | null> => {
    const sent = ledger.begin('last', writer.kind, conversation);
    const outcome = await writer.send(conversation, sent.content);
    if ('id' in outcome) ledger.confirm(sent, outcome.id);
    else ledger.fail(sent, outcome.failed);
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
        // A message that was confirmed and is not there is for the check to find.
        if (error instanceof CallError && error.status === 404) break;
        if (tries === TRIES) throw error;
        await pause(AGAIN_MS);
      }
    }
    await write(id);
  }
}
