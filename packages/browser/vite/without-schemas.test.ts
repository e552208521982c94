import type { Rolldown } from 'vite';
import { expect, test } from 'vitest';
import { withoutSchemas } from './without-schemas.ts';

type Handler = (code: string, id: string) => Promise<Pick<Rolldown.OutputChunk, 'code'> | null>;

/** Returns a contract module as the browser gets it. */
async function transformed(code: string): Promise<string | undefined> {
  const { transform } = withoutSchemas();
  if (typeof transform !== 'object') throw new Error('The plugin has no transform hook');
  const result = await (transform.handler as Handler)(code, '/packages/contract/src/example.ts');
  return result?.code.replaceAll(/\s+/g, ' ');
}

const IMPORTS = `import * as z from 'zod/mini';
import { Message } from './messages.ts';
import { text } from './primitives.ts';
`;

test.each([
  ['a value', 'z.string()', 'z'],
  ['a value of several lines', 'z\n  .array(z.string())\n  .check() as unknown', 'z'],
  ['the fields of an object', '{ to: text(9), from: z.string() }', '{ to: z, from: z }'],
  ['nested fields', '{ ...text(9), at: { by: z.int() } } as const', '{ ...z, at: { by: z } }'],
])('schemas are removed: %s', async (_, value, expected) => {
  const js = await transformed(`${IMPORTS}export const Name = ${value};`);
  expect(js).toContain(`export const Name = ${expected};`);
});

test('imports that only schemas and types need are removed', async () => {
  const code = `${IMPORTS}
    export const Sent = z.object({ message: Message });
    export type Sent = z.infer<typeof Sent>;
    export const limit = text.length;`;
  const js = await transformed(code);
  expect(js).not.toContain('messages.ts');
  expect(js).toContain('import { text } from "./primitives.ts"');
});

test('endpoints keep what a call needs', async () => {
  const code = `${IMPORTS}
    export const send = post('/api/send', { auth: 'admin', body: Message, replies: { 200: Message } });`;
  expect(await transformed(code)).toContain(
    'export const send = { method: "POST", path: "/api/send", auth: "admin" };',
  );
});

test('modules without schemas stay as they are', async () => {
  expect(await transformed('export const MAX: number = 1;')).toBeUndefined();
});
