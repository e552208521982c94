import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { endpoints } from './endpoints.ts';
import { ErrorReply } from './errors.ts';

/** Kinds of schemas that let a value be what it is. The server parses its replies: a default, say, would be filled in there. */
const NEUTRAL = [
  ...['object', 'array', 'record', 'union', 'nullable', 'optional'],
  ...['string', 'number', 'boolean', 'enum', 'literal', 'unknown', 'never'],
];

/** The kinds of all schemas that one is made of. */
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

test('no reply is of a schema that makes something else of what it is given', () => {
  const replies = Object.values(endpoints).flatMap((endpoint) => Object.values(endpoint.replies));
  const kinds = new Set(kindsIn([ErrorReply, ...replies]));
  expect([...kinds].filter((kind) => !NEUTRAL.includes(kind))).toEqual([]);
  expect(NEUTRAL.filter((kind) => !kinds.has(kind))).toEqual([]);
});
