import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { valid } from '../../test/fuzz/from-schema.ts';
import type { Actor } from '../../test/fuzz/requests.ts';
import { send, wireOf } from '../../test/fuzz/send.ts';
import { openFuzzWorld } from '../../test/fuzz/world.ts';

const world = await openFuzzWorld();
afterAll(() => world.close());

/** The kind of object that the id in an endpoint's path refers to. */
const NAMED: readonly (readonly [path: RegExp, kind: string])[] = [
  [/conversation\/\{id\}/, 'conversation'],
  [/admin\/messages\/\{id\}/, 'message'],
  [/admin-fields\//, 'customer'],
  [/admin-management\/admins\//, 'admin'],
  [/auth\/admin\/sessions\//, 'session'],
  [/passkeys\/\{id\}/, 'passkey'],
  [/products\//, 'product'],
  [/folders\//, 'folder'],
  [/global-tags\//, 'globalTag'],
  [/templates\//, 'template'],
  [/admin\/scheduled\//, 'scheduled'],
  [/keys\/\{id\}/, 'key'],
  [/admin\/invites\/\{id\}/, 'invite'],
  [/deliveries\//, 'delivery'],
  [/double-payments\//, 'purchase'],
  [/handovers\//, 'handover'],
  [/admin\/views\//, 'view'],
  [/admin\/statements\//, 'statement'],
  [/segments\//, 'segment'],
  [/extensions\//, 'extension'],
  [/shifts\//, 'shift'],
  [/campaigns\//, 'campaign'],
  [/earnings\/\{line\}/, 'earning'],
  [/contests\/\{id\}/, 'contest'],
  [/periods\/\{id\}/, 'period'],
  [/invites?\/\{token\}|invitations\/\{token\}/, 'inviteToken'],
  [/fans\/\{fan\}/, 'fan'],
];
/** Objects of the same installation whose ids have the same form. */
const KINDS = ['conversation', 'customer', 'message', 'product', 'folder', 'globalTag', 'admin'];
const ACTORS: Readonly<Record<Endpoint['auth'], Actor>> = {
  none: 'nobody',
  admin: 'creator',
  avatar_cookie: 'creator',
  platform: 'platform',
  fan: 'fan',
};

const withIds = Object.entries(endpoints as Record<string, Endpoint>).filter(
  // The platform chooses a new fan's id, and any text is valid.
  ([name, { path, upload }]) => path.includes('{') && !upload && name !== 'putFan',
);

test.each(withIds)(
  '%s finds nothing for the id of another kind of object',
  async (_name, endpoint) => {
    const own = NAMED.find(([path]) => path.test(endpoint.path))?.[1];
    expect(own, `what ${endpoint.path} names`).toBeDefined();
    const params = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    for (const kind of KINDS.filter((other) => other !== own)) {
      const [body] = endpoint.body ? fc.sample(valid(endpoint.body), { numRuns: 1, seed: 5 }) : [];
      const [query] = endpoint.query
        ? fc.sample(valid(endpoint.query), { numRuns: 1, seed: 5 })
        : [];
      const wire = wireOf(world, endpoint, {
        actor: ACTORS[endpoint.auth],
        params: Object.fromEntries(params.map((name) => [name, `@${kind}/0`])),
        pathTail: '',
        query: Object.entries(query ?? {}).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, String(value)] as const],
        ),
        queryTail: '',
        headers: {},
        body: endpoint.body ? { kind: 'json', value: body } : { kind: 'none' },
      });
      const reply = await send(world, endpoint.method, wire);
      expect([404, 400], `${kind}: ${reply.text}`).toContain(reply.status);
      if (reply.status === 404) expect(reply.text).toMatch(/"code":"\w*not_found"/);
    }
  },
);
