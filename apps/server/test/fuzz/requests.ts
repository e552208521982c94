import type { Endpoint } from '@stagedoor/contract/endpoint';
import fc from 'fast-check';
import { nearlyValid, valid } from './from-schema.ts';
import { type Multipart, multipart } from './multipart.ts';
import { hostileName, hostileText, hostileValue } from './values.ts';

/** The senders of requests. */
const ACTORS = [
  'nobody',
  'stranger',
  'silenced',
  'support',
  'moderator',
  'manager',
  'creator',
  'platform',
  'fan',
  'otherFan',
] as const;
export type Actor = (typeof ACTORS)[number];

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'raw'; readonly base64: string }
  | ({ readonly kind: 'multipart' } & Multipart);

/** A request before it is sent: with references instead of ids, and printable JSON. */
export interface FuzzRequest {
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string>>;
  /** Appended to the path. */
  readonly pathTail: string;
  readonly query: readonly (readonly [string, string])[];
  readonly queryTail: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** Returns requests to an endpoint: valid, nearly valid, and arbitrary. */
export function requestsTo(endpoint: Endpoint): fc.Arbitrary<FuzzRequest> {
  return fc.record({
    actor: actorFor(endpoint),
    params: paramsOf(endpoint),
    pathTail: mostly('', PATH_TAILS, 60),
    query: queryOf(endpoint),
    queryTail: mostly('', QUERY_TAILS, 40),
    headers: headersOf(endpoint),
    body: bodyOf(endpoint),
  });
}

const PATH_TAILS = [
  '/',
  '//',
  '%00',
  '%zz',
  '%ff',
  ';x=1',
  '/..',
  '%2f..%2f..',
  '\u00e9',
  '?a=b?c',
];
const QUERY_TAILS = [
  '&%zz=1',
  '&=',
  '&&&',
  '&%00=%00',
  '&limit=%ff',
  '&a[b][c]=1',
  '&__proto__[x]=1',
];

function mostly(usual: string, others: readonly string[], weight: number): fc.Arbitrary<string> {
  return fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
}

function actorFor({ auth, permission }: Endpoint): fc.Arbitrary<Actor> {
  const staff: Actor[] =
    permission === 'can_manage_admins'
      ? ['manager', 'creator']
      : ['support', 'moderator', 'manager', 'creator'];
  const right: Record<Endpoint['auth'], Actor[]> = {
    none: ['nobody', 'fan'],
    admin: staff,
    avatar_cookie: staff,
    platform: ['platform'],
    fan: ['fan', 'otherFan'],
  };
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...right[auth]) },
    { weight: 1, arbitrary: fc.constantFrom(...ACTORS) },
  );
}

/** The kind of thing that `{id}` stands for, depending on the path before it. */
const THINGS: readonly (readonly [RegExp, string])[] = [
  [/conversation\/$/, 'conversation'],
  [/admins\/$/, 'admin'],
  [/sessions\/$/, 'session'],
  [/products\/$/, 'product'],
  [/folders\/$/, 'folder'],
  [/global-tags\/$/, 'globalTag'],
  [/statements\/$/, 'statement'],
  [/templates\/$/, 'template'],
  [/segments\/$/, 'segment'],
  [/campaigns\/$/, 'campaign'],
  [/admin\/scheduled\/$/, 'scheduled'],
  [/passkeys\/$/, 'passkey'],
  [/keys\/$/, 'key'],
  [/admin\/invites\/$/, 'invite'],
  [/deliveries\/$/, 'delivery'],
];

function paramsOf(endpoint: Endpoint): fc.Arbitrary<Record<string, string>> {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)];
  return fc.record(
    Object.fromEntries(
      names.map(({ 1: name = '', index }) => {
        const before = endpoint.path.slice(0, index);
        const meant = THINGS.find(([pattern]) => pattern.test(before))?.[1] ?? name;
        const one = fc.nat(2).map((number) => `@${NAMES[meant] ?? meant}/${number}`);
        return [
          name,
          fc.oneof({ weight: 6, arbitrary: one }, { weight: 1, arbitrary: hostileText }),
        ];
      }),
    ),
  );
}

const NAMES: Readonly<Record<string, string>> = {
  customerId: 'customer',
  tagId: 'fanTag',
  token: 'inviteToken',
};

function queryOf({ query }: Endpoint): fc.Arbitrary<[string, string][]> {
  const junk = fc.array(fc.tuple(hostileName, hostileText), { maxLength: 2 });
  if (query === undefined) {
    return fc.oneof(
      { weight: 9, arbitrary: fc.constant<[string, string][]>([]) },
      { weight: 1, arbitrary: junk },
    );
  }
  const right = valid(query).map(pairs);
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: 3, arbitrary: nearlyValid(query).map(pairs) },
    // Repeats parameters.
    { weight: 1, arbitrary: fc.tuple(right, right).map(([one, two]) => [...one, ...two]) },
    { weight: 1, arbitrary: fc.tuple(right, junk).map(([one, two]) => [...one, ...two]) },
  );
}

function pairs(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [['x', String(value)]];
  return Object.entries(value).flatMap(([name, item]: [string, unknown]): [string, string][] => {
    if (item === undefined) return [];
    if (Array.isArray(item)) return item.slice(0, 30).map((one) => [name, textOf(one)]);
    return [[name, textOf(item)]];
  });
}

/** Keeps URLs below the maximum length that the server accepts. */
const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 2_000);

const ODD_HEADERS: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'authorization',
    'content-type',
    'cookie',
    'host',
    'if-none-match',
    'origin',
    'range',
    'sec-fetch-site',
    'user-agent',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-http-method-override',
  ),
  fc.oneof(
    fc.constantFrom(
      '*/*',
      'Bearer ',
      'Bearer x y',
      'Basic Og==',
      'null',
      'same-origin',
      'application/json; charset=utf-16',
      'application/json;;;',
      'application/jsonx',
      'APPLICATION/JSON',
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/x-www-form-urlencoded',
      '/',
      'stagedoor_avatar=',
      '=;=;stagedoor_avatar=%zz; stagedoor_avatar',
      'bytes=9-1',
      'x'.repeat(9_000),
    ),
    hostileText,
  ),
  { minKeys: 1, maxKeys: 2 },
);

function headersOf({ headers }: Endpoint): fc.Arbitrary<Record<string, string>> {
  const own: fc.Arbitrary<Record<string, string>> =
    headers === undefined
      ? fc.constant({})
      : fc
          .oneof(valid(headers), nearlyValid(headers))
          // With more than a thousand headers, Node's parser drops some that the client needs.
          .map((value) => Object.fromEntries(pairs(value).slice(0, 100)));
  const odd = fc.oneof(
    { weight: 12, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: ODD_HEADERS },
  );
  return fc.tuple(own, odd).map(([one, two]) => ({ ...one, ...two }));
}

const BROKEN_BODIES = [
  '{',
  '{"a":1}}',
  '"\\ud800"',
  '[',
  'nul',
  '1e999',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '\ufeff{}',
  '{"a":"\u0000"}',
  '[['.repeat(50_000),
  '{"a":'.repeat(20_000),
  `{"a":"${'x'.repeat(300_000)}"}`,
];

const rawBody: fc.Arbitrary<Body> = fc
  .oneof(
    fc.constantFrom(...BROKEN_BODIES).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    // Invalid UTF-8 in valid JSON.
    fc
      .uint8Array({ maxLength: 10 })
      .map((bytes) => Buffer.concat([Buffer.from('{"content":"'), bytes, Buffer.from('"}')])),
  )
  .map((bytes) => ({ kind: 'raw', base64: bytes.toString('base64') }));

function bodyOf(endpoint: Endpoint): fc.Arbitrary<Body> {
  const none = fc.constant<Body>({ kind: 'none' });
  const json = (value: fc.Arbitrary<unknown>) =>
    value.map((sent): Body => ({ kind: 'json', value: sent }));
  const form = multipart(endpoint).map((sent): Body => ({ kind: 'multipart', ...sent }));
  if (endpoint.method === 'GET') return none;
  if (endpoint.upload) {
    return fc.oneof(
      { weight: 8, arbitrary: form },
      { weight: 1, arbitrary: rawBody },
      { weight: 1, arbitrary: none },
    );
  }
  const { body } = endpoint;
  if (body === undefined) {
    return fc.oneof(
      { weight: 6, arbitrary: none },
      { weight: 1, arbitrary: json(hostileValue) },
      { weight: 1, arbitrary: rawBody },
    );
  }
  return fc.oneof(
    { weight: 10, arbitrary: json(valid(body)) },
    { weight: 8, arbitrary: json(nearlyValid(body)) },
    { weight: 2, arbitrary: json(hostileValue) },
    { weight: 2, arbitrary: rawBody },
    { weight: 1, arbitrary: none },
    { weight: 1, arbitrary: form },
  );
}
