import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaign, fuzzEndpoint } from './campaign.ts';
import { brokenRules } from './invariants.ts';
import type { Reference } from './values.ts';
import { type FuzzWorld, openFuzzWorld } from './world.ts';

/** Returns the kind of thing that a DELETE removes, by its path. */
const removed = ({ path }: Endpoint): Reference | null =>
  REMOVED.find(([part]) => part.test(path))?.[1] ?? null;
const REMOVED: readonly (readonly [RegExp, Reference])[] = [
  [/fans\/\{fan\}$/, 'fan'],
  [/global-tags\//, 'globalTag'],
  [/products\//, 'product'],
  [/folders\//, 'folder'],
  [/segments\//, 'segment'],
  [/admins\//, 'admin'],
  [/admin\/sessions/, 'session'],
  [/passkeys\//, 'passkey'],
  [/keys\//, 'key'],
];

/** Endpoints that may end an actor's session. */
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
    'any request to %s gets a reply within the contract and breaks nothing',
    { timeout: 60_000 + campaign.runs * 500 },
    async (name) => {
      const endpoint: Endpoint = endpoints[name];
      const gone = endpoint.method === 'DELETE' ? removed(endpoint) : null;
      let done = 0;
      await fuzzEndpoint(world, name, endpoint, campaign, async ({ status }) => {
        // A new fan replaces one who reached the rate limit.
        if (status === 429 && endpoint.auth === 'fan') await world.renew('fan');
        if (status >= 300 || endpoint.method === 'GET') return;
        if (THROWS_OUT.test(endpoint.path)) await world.renewActors(endpoint.auth);
        // Renews only every tenth time: requests for missing things are tested too.
        if (gone !== null && ++done % 10 === 2) await world.renew(gone);
      });
      expect(await brokenRules(world.app)).toEqual([]);
      if (gone !== null) await world.renew(gone);
    },
  );
});
