import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { openDatabase } from './database.ts';

const HEADER = `// Generated from the migrated schema by \`npm run db:types\`. Don't edit.
import type { Generated, GeneratedAlways } from 'kysely';

/** The columns of each table. A list of values in a check becomes a union. */
export interface Schema {`;

/** How the driver returns PostgreSQL's types. */
const TYPES: Readonly<Record<string, string>> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  integer: 'number',
  jsonb: 'unknown',
  real: 'number',
  smallint: 'number',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'Date',
  uuid: 'string',
};

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly computed: boolean;
  readonly defaulted: boolean;
  /** The list of `check (column in (…))`, as PostgreSQL prints it: `'a'::text, 'b'::text`. */
  readonly allowed: string | null;
}

/** Returns the source of `schema.ts`. @throws Error for a type that is not in {@link TYPES} */
async function schemaSource<T>(db: Kysely<T>): Promise<string> {
  const { rows: columns } = await sql<Column>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
      a.attidentity = 'a' or a.attgenerated <> '' as computed, a.atthasdef as defaulted,
      (select max(substring(pg_get_constraintdef(k.oid) from '^CHECK \\(\\(\\w+ = ANY \\(ARRAY\\[(.*)\\]\\)\\)\\)$'))
        from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]) as allowed
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'
    order by c.relname, a.attnum`.execute(db);
  const tables = [...new Set(columns.map(({ table }) => table))].map((table) => {
    const own = columns.filter((column) => column.table === table);
    return `  ${table}: {\n${own.map(columnSource).join('')}  };\n`;
  });
  return `${HEADER}\n${tables.join('')}}\n`;
}

function columnSource({ table, name, type, nullable, computed, defaulted, allowed }: Column) {
  const known = allowed?.replaceAll('::text', '').replaceAll(', ', ' | ') ?? TYPES[type];
  if (known === undefined) throw new Error(`${table}.${name} is ${type}, which TYPES lacks`);
  const value = nullable && known !== 'unknown' ? `${known} | null` : known;
  if (computed) return `    ${name}: GeneratedAlways<${value}>;\n`;
  return `    ${name}: ${defaulted ? `Generated<${value}>` : value};\n`;
}

test('the types of the tables are what the migrations create', async () => {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ connectionString: url }, () => undefined);
  try {
    await expect(
      await schemaSource(db.kysely),
      'schema.ts differs from what the migrations create. Run: npm run db:types',
    ).toMatchFileSnapshot('schema.ts');
  } finally {
    await db.close();
    await drop();
  }
});
