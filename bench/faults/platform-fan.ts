import { randomUUID } from 'node:crypto';
import { postFanMessage } from '@stagedoor/contract/platform/platform';
import { PLATFORM_KEY } from '../lib/installation.ts';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import { clientCall, persist } from './persist.ts';

/** Opens a client that forwards fan messages like the platform's server. `fans` maps conversations to platform ids of fans. */
export function openPlatformFan(
  name: string,
  { url, fans, ledger }: { url: string; fans: ReadonlyMap<string, string>; ledger: Ledger },
): Client {
  const call = clientCall(url, PLATFORM_KEY, ledger);
  return {
    name,
    kind: 'platform',
    senders: 1,
    pauseMs: 40,
    send(conversation, content) {
      const fan = fans.get(conversation) ?? '';
      const body = { client_id: randomUUID(), content };
      return persist(async () => (await call(postFanMessage, { params: { fan }, body })).data);
    },
    close: () => undefined,
  };
}
