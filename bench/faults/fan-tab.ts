import { setTimeout as sleep } from 'node:timers/promises';
import type { FanVisibleMessage } from '@stagedoor/contract/messaging/messages';
import { becomeBrowser } from './browser.ts';
import type { Client, Outcome, StoredWorld } from './client.ts';

const POLL_MS = 25;

/** Opens tabs that run the real fan client and share one fan's session. @param url the fan client's URL */
export async function openFanTabs(
  names: readonly string[],
  url: string,
  { token, conversation }: { token: string; conversation: string },
): Promise<Client[]> {
  becomeBrowser(url);
  const { openSession } = await import('../../apps/fan/src/lib/session.ts');
  openSession(token);
  return Promise.all(names.map((name) => openTab(name, token, conversation)));
}

async function openTab(name: string, token: string, conversation: string): Promise<Client> {
  const { createFanClient } = await import('../../apps/fan/src/app/fan-client.ts');
  const { shownIn } = await import('../../apps/fan/src/app/fan-state.ts');
  const client = createFanClient(token);
  const stop = client.start();
  const shown = (): readonly FanVisibleMessage[] => shownIn(client.store.get()).messages;

  return {
    name,
    kind: 'fan',
    senders: 1,
    // The server accepts 60 messages per minute from a fan.
    pauseMs: 2_500,
    conversation,
    async send(_conversation, content): Promise<Outcome> {
      const outbox = () => client.store.get().outbox;
      client.send({ text: content, replyTo: null, files: [] });
      const clientId = outbox().pending.find((held) => held.content === content)?.clientId;
      for (;;) {
        const pending = outbox().pending.find((held) => held.clientId === clientId);
        if (pending?.status === 'failed') return { failed: pending.error };
        if (pending === undefined) {
          const [id] = Object.entries(outbox().keys).find(([, key]) => key === clientId) ?? [];
          return id === undefined ? { failed: 'given up' } : { id };
        }
        await sleep(POLL_MS);
      }
    },
    async differences({ messages }: StoredWorld) {
      const state = client.store.get();
      if (state.load !== 'loaded') return [`${name}: nothing is loaded`];
      const expected = messages.get(conversation) ?? [];
      const held = shown();
      if (shownIn(state).hasGap) return [`${name}: a gap`];
      const stored = expected.slice(-held.length || expected.length);
      if (held.length === 0 && expected.length > 0) return [`${name}: nothing of ${conversation}`];
      return held.flatMap((message, index) => {
        const { author: _author, ...other } = (stored[index] ?? {}) as Record<string, unknown>;
        const isSame = message.id === other.id && message.read_at === other.read_at;
        return isSame ? [] : [`${name}: message ${message.seq}: ${JSON.stringify(other)}`];
      });
    },
    close: stop,
  };
}
