import { expect, test } from 'vitest';
import { wrongWrites } from './check-tables.mjs';

const server = 'apps/server/src';
const store = `${server}/fans/invites/invites.store.ts`;

test.each([
  'await sql`insert into outbox (event) values (1)`;',
  'await sql`\n  insert into\n    outbox (event) values (1)`;',
  "const text = 'UPDATE outbox SET id = 1';",
  'const text = `with a as (update outbox o set id = 1 from a)`;',
  'const text = `delete from only outbox o using a`;',
  'const text = `merge into outbox using a on true`;',
  'const text = `truncate outbox`;',
  "tx.insertInto('outbox').values({});",
  "tx.updateTable('outbox as o').set({});",
  "tx\n  .deleteFrom('outbox')\n  .execute();",
])('a table is written by its owner only: %s', (source) => {
  expect(wrongWrites(store, source)).toEqual([
    `${store}: writes outbox, which db and realtime owns`,
  ]);
  expect(wrongWrites(`${server}/realtime/outbox.ts`, source)).toEqual([]);
});

test.each([
  'const text = `insert into strangers (id) values (1)`;',
  "tx.deleteFrom('strangers');",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source that builds its statement
  'await sql`delete from ${table}`;',
  'tx.insertInto(table);',
])('a write names a table that has an owner: %s', (source) => {
  expect(wrongWrites(store, source)).toEqual([expect.stringContaining('no owner')]);
});

test.each([
  '// Whoever wants to delete from outbox asks its owner.\nconst a = 1;',
  'await sql`select from outbox for update of outbox`;',
  'const text = `insert into invites (id) values (1) on conflict (id) do update set id = 1`;',
])('reading, locking and mentioning a table is free: %s', (source) => {
  expect(wrongWrites(store, source)).toEqual([]);
});

test('migrations, sample data, tests and other packages may write everything', () => {
  for (const file of [
    `${server}/db/migrations/0001-start.ts`,
    `${server}/sample-data.ts`,
    `${server}/fans/fans/fans.test.ts`,
    'bench/generate.ts',
  ]) {
    expect(wrongWrites(file, 'sql`delete from fans`')).toEqual([]);
  }
});
