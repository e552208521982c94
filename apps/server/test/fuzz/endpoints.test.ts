import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaign, fuzzEndpoint } from './campaign.ts';
import { brokenRules } from './invariants.ts';
import type { Reference } from './values.ts';
import { type FuzzWorld, openFuzzWorld } from './world.ts';

/** What a DELETE takes away, by its path. */
const removed = ({ path }: Endpoint): Reference | null =>
  REMOVED.find(([part]) => part.test(path))?.[1] ?? null;
const REMOVED: readonly (readonly [RegExp, Reference])[] = [
  [/fans\/\{fan\}$/, 'fan'],
  [/global-tags\//, 'globalTag'],
  [/products\//, 'product'],
  [/folders\//, 'folder'],
  [/admins\//, 'admin'],
  [/admin\/sessions/, 'session'],
  [/passkeys\//, 'passkey'],
  [/keys\//, 'key'],
];

/** These may throw out one of those who ask. */
const THROWS_OUT = /sign-?out|sessions|passkey-requirements|admins\/|platform\/fans\/\{fan\}$/;

const names = Object.keys(endpoints) as (keyof typeof endpoints)[];
const chosen = names.filter((name) => campaign.only === null || campaign.only === name);

describe.skipIf(chosen.length === 0)(`seed ${campaign.seed}`, () => {
  let world: FuzzWorld;
  beforeAll(async () => {
    world = await openFuzzWorld();
  });
  afterAll(() => world.close());

  test.each(chosen)(
    'whatever is sent to %s, the reply keeps to the contract and nothing breaks',
    { timeout: 60_000 + campaign.runs * 500 },
    async (name) => {
      const endpoint: Endpoint = endpoints[name];
      const gone = endpoint.method === 'DELETE' ? removed(endpoint) : null;
      let done = 0;
      await fuzzEndpoint(world, name, endpoint, campaign, async ({ status }) => {
        // A fan who wrote too often is followed by another.
        if (status === 429 && endpoint.auth === 'fan') await world.renew('fan');
        if (status >= 300 || endpoint.method === 'GET') return;
        if (THROWS_OUT.test(endpoint.path)) await world.renewActors(endpoint.auth);
        // Many at a time: to find nothing is of interest too.
        if (gone !== null && ++done % 10 === 2) await world.renew(gone);
      });
      expect(await brokenRules(world.app)).toEqual([]);
      if (gone !== null) await world.renew(gone);
    },
  );
});
