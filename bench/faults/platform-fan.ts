import { randomUUID } from 'node:crypto';
import { postFanMessage } from '@stagedoor/contract/platform/platform';
import { caller } from '../demo/calls.ts';
import type { Client } from './client.ts';
import { PLATFORM_KEY } from './installation.ts';
import type { Ledger } from './ledger.ts';
import { CALL_TIMEOUT_MS, persist } from './persist.ts';

/** Opens a client that forwards fan messages as the platform's server does. `fans`: platform ids, by conversation. */
export function openPlatformFan(
  name: string,
  { url, fans, ledger }: { url: string; fans: ReadonlyMap<string, string>; ledger: Ledger },
): Client {
  const call = caller({
    url,
    token: PLATFORM_KEY,
    timeoutMs: CALL_TIMEOUT_MS,
    patience: 1,
    onOutcome: (what) => ledger.outcome(what),
  });
  return {
    name,
    kind: 'platform',
    lanes: 1,
    pauseMs: 40,
    send(conversation, content) {
      const fan = fans.get(conversation) ?? '';
      const body = { client_id: randomUUID(), content };
      return persist(async () => (await call(postFanMessage, { params: { fan }, body })).data);
    },
    close: () => undefined,
  };
}
