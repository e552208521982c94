import {
  operatorsOf,
  SEGMENT_FIELDS,
  type SegmentField,
} from '@stagedoor/contract/selling/segment-rules';
import fc from 'fast-check';
import * as z from 'zod/mini';
import {
  anyReference,
  hostileName,
  hostileText,
  hostileValue,
  REFERENCES,
  type Reference,
  referenceTo,
} from './values.ts';

/** The part of JSON Schema that the contract uses. */
interface Shape {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly pattern?: string;
}

/** Returns values that match a schema's JSON Schema; ids are references. */
export function valid(schema: z.core.$ZodType, thing?: string): fc.Arbitrary<unknown> {
  const asked = { unrepresentable: 'any' } as const;
  // For coerced values the output schema says more; only the input schema says which fields are optional.
  const shape = z.toJSONSchema(schema, { ...asked, io: 'output' }) as Shape;
  const input = z.toJSONSchema(schema, { ...asked, io: 'input' }) as Shape;
  return ofShape(shape, input, thing ?? '');
}

/** Returns values that a schema nearly accepts: something in them is wrong, missing, or superfluous. */
export function nearlyValid(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid(schema), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce(changed, value));
}

function ofShape(shape: Shape, input: Shape, name: string): fc.Arbitrary<unknown> {
  if (name === 'rule') return segmentRule;
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  if (shape.anyOf) {
    return fc.oneof(
      ...shape.anyOf.map((option, index) => ofShape(option, input.anyOf?.[index] ?? option, name)),
    );
  }
  switch (shape.type) {
    case 'object':
      return ofObject(shape, input);
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems = 5 } = shape;
      const item = ofShape(items, input.items ?? items, name);
      return fc.oneof(
        { weight: 9, arbitrary: fc.array(item, { minLength, maxLength: Math.min(maxItems, 4) }) },
        { weight: 1, arbitrary: fc.array(item, { minLength, maxLength: Math.min(maxItems, 50) }) },
      );
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: 0, max: 3 }).map((step) => (shape.minimum ?? 0) + step),
        fc.maxSafeInteger().map((number) => clamp(number, shape)),
      );
    case 'number':
      return fc.oneof(
        fc.constantFrom(9.99, shape.minimum ?? 0, shape.maximum ?? 1),
        fc.integer({ min: 1, max: 100_000_000 }).map((cents) => cents / 100),
      );
    case 'string':
      return ofText(shape, name);
    default:
      return hostileValue;
  }
}

const clamp = (number: number, { minimum = -Infinity, maximum = Infinity }: Shape) =>
  Math.min(maximum, Math.max(minimum, number));

function ofObject(shape: Shape, input: Shape): fc.Arbitrary<unknown> {
  const properties = Object.entries(shape.properties ?? {});
  const needed = input.required ?? [];
  return fc.record(
    Object.fromEntries(
      properties.map(([name, property]) => [
        name,
        ofShape(property, input.properties?.[name] ?? property, name),
      ]),
    ),
    { requiredKeys: properties.map(([name]) => name).filter((name) => needed.includes(name)) },
  );
}

const ZONES = ['UTC', 'Europe/Lisbon', 'Pacific/Apia', 'america/new_york', 'Etc/GMT+12'];

/** The kind of thing that a field refers to, keyed by the field's name. */
const MEANINGS: Readonly<Record<string, Reference>> = {
  id: 'conversation',
  segment: 'segment',
  segment_id: 'segment',
  conversation_id: 'conversation',
  ids: 'conversation',
  skip: 'conversation',
  tag_id: 'globalTag',
  customerId: 'customer',
  userId: 'customer',
  fan: 'fan',
  message_id: 'message',
  before: 'message',
  up_to_message_id: 'message',
  reply_to_message_id: 'message',
  attachment_id: 'attachment',
  attachment_ids: 'upload',
  attachments: 'upload',
  product_id: 'product',
  owns_product: 'product',
  offered_product: 'product',
  folder_id: 'folder',
  globalTagId: 'globalTag',
  tag: 'globalTag',
  tagId: 'fanTag',
  tags: 'fanTag',
  noteId: 'staffNote',
  note_ids: 'staffNote',
  admin_tags: 'fanTag',
  admin_id: 'admin',
  target_id: 'product',
  token: 'inviteToken',
  link: 'link',
  payment_reference: 'payment',
};
const isReference = (name: string): name is Reference =>
  (REFERENCES as readonly string[]).includes(name);

function ofText(shape: Shape, name: string): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 1_000 } = shape;
  if (name === 'card_number') return fc.constantFrom('4242424242424242', '4000000000000002', 'x');
  if (name === 'clientDataJSON') return clientData;
  if (/^(tz|timezone)$/.test(name)) return fc.constantFrom(...ZONES);
  if (shape.format === 'email' || name === 'emails') {
    return fc.oneof(
      referenceTo('email'),
      fc.nat(30).map((number) => `someone-${number}@fans.example`),
    );
  }
  if (shape.format === 'date-time') return instant;
  if (shape.format === 'uri') return fc.webUrl();
  const meaning = MEANINGS[name] ?? (isReference(name) ? name : undefined);
  if (meaning !== undefined) {
    return fc.oneof(
      { weight: 8, arbitrary: referenceTo(meaning) },
      { weight: 1, arbitrary: anyReference },
      { weight: 1, arbitrary: fc.uuid() },
    );
  }
  if (shape.pattern !== undefined) return fc.stringMatching(new RegExp(shape.pattern));
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, 30) }) },
    {
      weight: 2,
      arbitrary: fc
        .string({
          unit: 'binary',
          minLength,
          maxLength: Math.max(minLength, Math.min(maxLength, 20) >> 1),
        })
        .filter(fits),
    },
    {
      weight: 2,
      arbitrary: hostileText.map((text) => text.padEnd(minLength, 'x').slice(0, maxLength)),
    },
    { weight: 1, arbitrary: fc.constantFrom('x', '\ud83d').map((unit) => unit.repeat(maxLength)) },
  );
}

/** Client data of a passkey ceremony as WebAuthn encodes it, valid and invalid. */
const clientData: fc.Arbitrary<string> = fc
  .oneof(
    fc.record({
      type: fc.constantFrom('webauthn.create', 'webauthn.get', 'x'),
      challenge: fc.oneof(hostileText, fc.constant('A'.repeat(43)), hostileValue),
      origin: fc.constantFrom('http://localhost', 'https://evil.example', 'x'),
    }),
    hostileValue,
  )
  .map((said) => JSON.stringify(said) ?? 'undefined')
  .map((text) => Buffer.from(text).toString('base64url').slice(0, 8_000) || 'x');

const instant: fc.Arbitrary<string> = fc.oneof(
  fc
    .date({ min: new Date('2024-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc
    .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom(
    '2026-03-29T01:30:00+01:00',
    '2024-02-29T23:59:59.999999999Z',
    '9999-12-31T23:59:59-23:59',
  ),
);

/** Conditions on every field with every operator, most of them valid. */
const segmentCondition = fc.oneof(
  ...(Object.keys(SEGMENT_FIELDS) as SegmentField[]).flatMap((field) =>
    Object.entries(operatorsOf(field)).map(([op, value]) =>
      fc.record({
        field: fc.constant(field),
        op: fc.constant(op),
        value: fc.oneof({ weight: 4, arbitrary: valid(value, field) }, hostileText),
      }),
    ),
  ),
);

/** Segment rules, most of them valid. */
const segmentRule = fc.letrec((tie) => ({
  rule: fc.oneof(
    fc.record({ all: fc.array(tie('part'), { maxLength: 4 }) }),
    fc.record({ any: fc.array(tie('part'), { maxLength: 4 }) }),
  ),
  part: fc.oneof({ weight: 4, arbitrary: segmentCondition }, { weight: 1, arbitrary: tie('rule') }),
})).rule;

/** A change to the `at`th node of a value. */
interface Change {
  readonly at: number;
  readonly what: 'replace' | 'remove' | 'wrap' | 'add';
  readonly name: string;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(20),
  what: fc.constantFrom('replace', 'replace', 'remove', 'wrap', 'add'),
  name: hostileName,
  value: hostileValue,
});

type Path = readonly (string | number)[];

function placesIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || path.length > 8) return [path];
  const items = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [path, ...[...items].flatMap(([key, item]) => placesIn(item, [...path, key]))];
}

function changed(whole: unknown, { at, what, name, value }: Change): unknown {
  const places = placesIn(whole);
  const place = places[at % places.length] ?? [];
  return within(whole, place, (found) => {
    if (what === 'wrap') return [found];
    if (what === 'remove') return undefined;
    if (what === 'replace' || typeof found !== 'object' || found === null) return value;
    if (Array.isArray(found)) return [...(found as unknown[]), value];
    // Assigning the field could change the object's prototype instead: the name may be `__proto__`.
    return Object.fromEntries([...Object.entries(found), [name, value]]);
  });
}

function within(whole: unknown, [key, ...rest]: Path, act: (found: unknown) => unknown): unknown {
  if (key === undefined) return act(whole);
  if (Array.isArray(whole)) {
    return whole.map((item: unknown, index) => (index === key ? within(item, rest, act) : item));
  }
  return Object.fromEntries(
    Object.entries(whole as object).map(([name, item]: [string, unknown]) => [
      name,
      name === key ? within(item, rest, act) : item,
    ]),
  );
}
