import fc from 'fast-check';

/** The kinds of things in the fuzzed installation. Requests refer to them as `@kind/number` before they are sent. */
export const REFERENCES = [
  'conversation',
  'customer',
  'fan',
  'message',
  'attachment',
  'upload',
  'product',
  'folder',
  'globalTag',
  'template',
  'segment',
  'campaign',
  'scheduled',
  'fanTag',
  'statement',
  'staffNote',
  'admin',
  'session',
  'passkey',
  'pending',
  'key',
  'invite',
  'inviteToken',
  'delivery',
  'payment',
  'link',
  'email',
] as const;
export type Reference = (typeof REFERENCES)[number];

/** References to existing things of a kind; the same seed gives the same reference, whatever the id is in this run. */
export const referenceTo = (kind: Reference): fc.Arbitrary<string> =>
  fc.nat(2).map((index) => `@${kind}/${index}`);

/** References of any kind except staff, whose data in a text would look like a leak. */
export const anyReference: fc.Arbitrary<string> = fc
  .constantFrom(...REFERENCES.filter((kind) => kind !== 'admin' && kind !== 'email'))
  .chain(referenceTo);

const PROTOTYPE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'then',
  'toJSON',
];

/** Texts that often break programs. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff\ud800y',
  '\u202Eevil\u202C',
  '\u200f\u2066\u200b\ufeff',
  'e\u0301'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(30),
  '\u{10ffff}\uffff\ufffe',
  'İıſßﬀǅ',
  'ܐ\u0007\u001b[31m\r\n\t',
  'x'.repeat(61),
  'x'.repeat(129),
  'x'.repeat(201),
  'é'.repeat(10_001),
  'x'.repeat(100_001),
  '\ud83d'.repeat(5_000),
  "'; --",
  '%',
  '_%\\',
  '\\',
  '{{x}}',
  '<img src=x onerror=alert(1)>',
  '=1+1',
  '../../etc/passwd',
  'javascript:alert(1)',
  'https://[::1]:99999/',
  'http://x.example/\ud800',
  '#zzzzzz',
  'true',
  'null',
  '-1',
  '0x10',
  '1e400',
  '1e-400',
  '9'.repeat(400),
  '９９',
  '0000-00-00T00:00:00Z',
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '1970-01-01T00:00:00+23:59',
  '00000000-0000-0000-0000-000000000000',
  '{00000000-0000-0000-0000-000000000000}',
  ...PROTOTYPE_NAMES,
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 2, arbitrary: anyReference },
);

const hostileNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.5, 5e-324, 1e-7, 0.005, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308),
  fc.double({ noNaN: true }),
  fc.integer(),
);

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { x: value };
  return value;
};

/** Property names that objects already have, or that a request must not set. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...PROTOTYPE_NAMES, 'id', 'is_admin', 'role', '', '\u0000', '\ud800'),
  fc.string({ maxLength: 10 }),
);

/** Arbitrary JSON values. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.constantFrom(5, 100, 1_500).map(nested) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 25 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(21, 51, 1_001).map((length) => Array.from({ length }, () => 'x')),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.tuple(hostileName, hostileText), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  },
);
