import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { brokenRules } from '../../test/migration-rules.ts';
import { openDatabase } from './database.ts';
import { MIGRATIONS, migrate } from './migrate.ts';
import type { Tables } from './tables.ts';

/** The first migration written under these rules. Earlier ones have been applied everywhere. */
const FIRST = '0014';

const { url, drop } = await createTestDatabase();
afterAll(drop);

/** Returns the statements that a migration executes. */
async function statementsOf(migration: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
    log: ({ query }) => void statements.push(query.sql),
  });
  await migration.up(db);
  await db.destroy();
  return statements;
}

test('no migration breaks a server of the previous version, or blocks its sends', async () => {
  const db = openDatabase({ connectionString: url }, () => undefined);
  await sql`drop schema public cascade`.execute(db.kysely);
  await sql`create schema public`.execute(db.kysely);
  const last = MIGRATIONS.findLast((name) => name < FIRST) ?? '';
  await migrate(db.kysely, last);
  for (const name of MIGRATIONS.slice(MIGRATIONS.indexOf(last) + 1)) {
    const migration = (await import(`./migrations/${name}.ts`)) as Migration;
    expect(brokenRules(await statementsOf(migration)), name).toEqual([]);
  }
  await db.close();
});

test.each([
  ['alter table fans drop column timezone', /^fans: drops a column/],
  ['alter table folders rename column name to title', /^folders: renames/],
  ['ALTER TABLE fans\n  RENAME TO people', /^fans: renames/],
  ['drop table returned_payments', /^returned_payments: drops a table/],
  ['alter table admins add column phone text not null', /^admins: adds a column/],
  [
    "alter table fans add column a text default '', add column b text not null",
    /^fans: adds a column/,
  ],
  ['alter table folders alter column description set not null', /^folders: demands a value/],
  ['alter table uploads alter column created_at drop default', /^uploads: takes away a default/],
  ['alter table products alter column price_cents type bigint', /^products: changes a type/],
  [
    'alter table messages add column token uuid default gen_random_uuid()',
    /^messages: gives each row/,
  ],
  [
    'alter table messages add column words text generated always as (lower(content)) stored',
    /^messages: gives each row/,
  ],
  ['alter table messages add constraint short check (length(content) < 9)', /^messages: looks at/],
  ['alter table fans add constraint one unique (email)', /^fans: builds an index/],
  ['create index messages_author on messages (author_id)', /^messages: builds an index/],
  ['create unique index on fans (email)', /^fans: builds an index/],
  ["-- old ones\nupdate messages set content = ''", /^messages: changes rows/],
])('%j is refused', (statement, said) => {
  const [line, ...others] = brokenRules([statement]);
  expect(line).toMatch(said);
  expect(others).toEqual([]);
});

test.each([
  [
    "alter table messages add column edited_at timestamptz, add column note text not null default ''",
  ],
  ['create table edits (id uuid primary key, message_id uuid not null)'],
  ['create table edits (at text)', 'create index on edits (at)', 'drop table edits'],
  ['create index concurrently on messages (author_id)'],
  ['create index folders_description on folders (description)'],
  ['alter table messages add constraint short check (length(content) < 9) not valid'],
  ['alter table messages validate constraint short'],
])('%j is not', (...statements) => {
  expect(brokenRules(statements)).toEqual([]);
});

test('migrations are applied in the order of their names', () => {
  expect(MIGRATIONS).toEqual(MIGRATIONS.toSorted());
});
