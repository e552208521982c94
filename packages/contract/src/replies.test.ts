import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints } from './endpoints.ts';
import { ErrorReply } from './errors.ts';

/** Schema kinds that leave a value unchanged. The server parses its replies, so a default, for example, would alter them. */
const NEUTRAL = [
  ...['object', 'array', 'record', 'union', 'nullable', 'optional'],
  ...['string', 'number', 'boolean', 'enum', 'literal', 'unknown', 'never'],
];

/** Returns the kinds of all schemas nested in a schema. */
function kindsIn(schema: unknown, seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  if (schema instanceof z.core.$ZodType) {
    const { type, checks: _onItself, ...parts } = schema._zod.def;
    return [type, ...kindsIn(parts, seen)];
  }
  const isGroup = Array.isArray(schema) || Object.getPrototypeOf(schema ?? 0) === Object.prototype;
  return isGroup ? Object.values(schema as object).flatMap((part) => kindsIn(part, seen)) : [];
}

test('no reply schema changes the value it parses', () => {
  const replies = Object.values(endpoints).flatMap((endpoint) => Object.values(endpoint.replies));
  const kinds = new Set(kindsIn([ErrorReply, ...replies]));
  expect([...kinds].filter((kind) => !NEUTRAL.includes(kind))).toEqual([]);
  expect(NEUTRAL.filter((kind) => !kinds.has(kind))).toEqual([]);
});
