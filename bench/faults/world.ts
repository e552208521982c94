import { openFanSession } from '@stagedoor/contract/platform/fan-app';
import { createPlatformClient } from '@stagedoor/platform-client';
import type { Random } from '@stagedoor/sample-data/random';
import { caller } from '../lib/calls.ts';
import { type Installation, OWNER, PLATFORM_KEY } from '../lib/installation.ts';
import { addTeammates, signIn } from '../lib/sign-in.ts';
import type { Client } from './client.ts';
import { type ConsoleTab, openConsoleTabs } from './console.ts';
import { openFanTabs } from './fan-tab.ts';
import { Ledger } from './ledger.ts';
import { CALL_TIMEOUT_MS } from './persist.ts';
import { openPlatformFan } from './platform-fan.ts';
import { openStaffClient, type StaffClient } from './staff-client.ts';

/** The participants of a run, and the parts that a fault can break. */
export interface World {
  readonly installation: Installation;
  /** The URL that clients connect to: the server's, or that of a proxy in between. */
  readonly url: string;
  readonly ledger: Ledger;
  readonly clients: readonly Client[];
  readonly consoles: readonly ConsoleTab[];
  readonly staff: readonly StaffClient[];
  /** Maps each conversation to its fan's platform id. */
  readonly fans: ReadonlyMap<string, string>;
  /** A session token of the owner, for reading the stored state directly from the server, without the proxy. */
  readonly ownerToken: string;
  /** How long the fault should last. Seconds. */
  readonly seconds: number;
  readonly random: Random;
  readonly log: (line: string) => void;
  /** Reports that a time limit was exceeded. */
  readonly late: (line: string) => void;
  close(): void;
}

/** The size of a run. A quarter of the senders use console tabs, one or two use fan tabs; staff and platform share the rest. */
export interface Cast {
  /** The maximum number of sends pending at once. */
  readonly senders: number;
  readonly fans: number;
}

/** Creates the fans and the staff, signs them in and opens their clients. */
export async function gather(
  installation: Installation,
  cast: Cast,
  rest: Pick<World, 'url' | 'seconds' | 'random' | 'log' | 'late'>,
): Promise<World> {
  const { url } = rest;
  const ledger = new Ledger();
  const platform = createPlatformClient({ url: installation.url, key: PLATFORM_KEY });
  const fans = new Map<string, string>();
  for (let number = 1; number <= cast.fans; number++) {
    const { conversation_id } = await platform.putFan(`fan-${number}`, {
      username: `fan${number}`,
    });
    fans.set(conversation_id, `fan-${number}`);
  }
  const conversations = [...fans.keys()];
  const [home = '', first = ''] = [...fans][0] ?? [];

  const tabs = Math.max(1, Math.round(cast.senders / 8));
  const fanTabs = Math.min(2, Math.max(1, Math.floor(cast.senders / 8)));
  const others = Math.max(2, cast.senders - 2 * tabs - fanTabs);
  const byHand = Math.floor(others / 2);
  const owner = await signIn(installation.url, OWNER, installation.mailbox);
  const emails = numbered(byHand, 'staff').map((name) => `${name}@example.com`);
  const tokens = await addTeammates(installation.url, owner.token, emails, installation.mailbox);

  const consoles = await openConsoleTabs(numbered(tabs, 'console'), url, owner);
  for (const tab of consoles) await tab.open(conversations);
  const { link } = await platform.createSession(first);
  const anonymous = caller({ url: installation.url, token: null, timeoutMs: CALL_TIMEOUT_MS });
  const { token } = (await anonymous(openFanSession, { body: { link } })).data;
  const session = { token, conversation: home };
  const ofFan = await openFanTabs(numbered(fanTabs, 'fan'), url, session);
  const staff = tokens.map((each, index) =>
    openStaffClient(`staff${index + 1}`, { url, token: each, ledger }),
  );
  const ofPlatform = numbered(others - byHand, 'platform').map((name) =>
    openPlatformFan(name, { url, fans, ledger }),
  );
  const clients = [...consoles, ...ofFan, ...staff, ...ofPlatform];
  return {
    ...rest,
    installation,
    ledger,
    clients,
    consoles,
    staff,
    fans,
    ownerToken: owner.token,
    close() {
      for (const client of clients) client.close();
    },
  };
}

const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}${index + 1}`);
