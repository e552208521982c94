import { sql } from 'kysely';
import type { Database } from '../../apps/server/src/db/database.ts';
import { until } from '../../apps/server/test/until.ts';

/**
 * Stores the current content of a database, so that it can be restored between journeys. Starting a server on an empty database
 * takes a hundred times as long.
 * @returns a function that restores the content
 */
export async function rememberSlate(db: Database): Promise<() => Promise<void>> {
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select t.table_name as name,
      string_agg(quote_ident(c.column_name), ', ') filter (where c.is_generated = 'NEVER') as columns
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_schema = 'public' and t.table_type = 'BASE TABLE'
    group by t.table_name`.execute(db.kysely);
  await sql`create schema slate`.execute(db.kysely);
  for (const { name, columns } of tables) {
    await sql
      .raw(`create table slate.${name} as select ${columns} from public.${name}`)
      .execute(db.kysely);
  }
  // The outbox sweep locks outbox rows while it reads other tables on other connections. PostgreSQL can't detect a deadlock there.
  // Locking the outbox first ensures that no sweep waits for a table that is locked here.
  const all = ['outbox', ...tables.map(({ name }) => name)].map((name) => `public.${name}`);
  // For the few rows of a journey, deleting is faster than truncating, which creates new files for each table.
  const restore = tables.map(
    ({ name, columns }) => `delete from public.${name};
      insert into public.${name} (${columns}) overriding system value select ${columns} from slate.${name};`,
  );
  const wipe = () =>
    db.kysely.transaction().execute(async (tx) => {
      // Disables triggers and foreign keys, as replication does.
      await sql`set local session_replication_role = replica; set local lock_timeout = '1s'`.execute(
        tx,
      );
      await sql
        .raw(`lock table ${all.join(', ')} in access exclusive mode; ${restore.join('')}`)
        .execute(tx);
    });
  return async () => {
    // The server's background jobs lock tables in a different order. Each attempt gives up after a second and releases its
    // locks, so that waiting jobs can finish, even on other connections.
    await until('the tables are free', () =>
      wipe().then(
        () => true,
        (error) => {
          if (!isBlocked(error)) throw error;
        },
      ),
    );
  };
}

/** Returns whether an error is a deadlock or a lock timeout. */
const isBlocked = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['40P01', '55P03'].includes(String(error.code));
