import { openDatabase } from '../../apps/server/src/db/database.ts';
import { insertPeriod, openPeriods } from '../../apps/server/src/selling/earnings/periods.store.ts';
import { openEmpty, type Staff, stopwatch } from '../lib/empty-database.ts';
import { takeConstraints } from '../lib/generate/constraints.ts';
import { OWNER } from '../lib/installation.ts';
import { query } from '../lib/query.ts';
import { fillFacts } from './facts.ts';
import { fillLines } from './lines.ts';

/** Tables that are filled without indexes; the indexes are built at the end. */
const BIG =
  'shifts clocks messages product_sends purchases sent_messages earning_lines earning_contests'.split(
    ' ',
  );

/** The number of periods that stay open. Each run closes two, so the filled database lasts for a few runs. */
const OPEN_PERIODS = 8;
/** The admin whose own screens are measured. */
export const SELLER = 'admin-150@example.com';

const staffOf = (admins: number): Staff =>
  Array.from({ length: admins }, (_, index) => {
    if (index === 0) return [OWNER, 'creator'];
    if (index === admins - 1) return [SELLER, 'support'];
    const role = index < 3 ? 'manager' : index < 5 ? 'moderator' : 'support';
    return [`admin-${index}@work.example.com`, role];
  });

/** Fills an empty database with three years of a team's work. Does nothing if the database is already filled. */
export async function fill(url: string, admins: number, log: (line: string) => void) {
  if (await isFilled(url)) return;
  const stage = stopwatch(log);
  const client = await openEmpty(url, staffOf(admins), log);
  try {
    const remakes = await takeConstraints(client, BIG);
    await fillFacts(client, stage);
    const lines = await fillLines(client, log);
    stage(`${lines.toLocaleString('en')} lines`);
    for (const { what, statement } of remakes) {
      await client.query(statement);
      stage(what);
    }
    await client.query('vacuum analyze');
    await closeOld(url);
    await client.query('select sum_up_anew()');
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    stage('closed, summed up and analysed');
  } finally {
    await client.end();
  }
}

const isFilled = async (url: string): Promise<boolean> => {
  const [table] = await query<{ name: string | null }>(
    url,
    `select to_regclass('earning_periods')::text as name`,
  );
  return (
    table?.name !== null && (await query(url, 'select from earning_periods limit 1')).length > 0
  );
};

/** Closes all periods except the last `OPEN_PERIODS`. */
async function closeOld(url: string): Promise<void> {
  const db = openDatabase({ connectionString: url }, () => undefined);
  try {
    await db.kysely.transaction().execute(async (tx) => {
      const { id } = await tx
        .selectFrom('admins')
        .select('id')
        .where('role', '=', 'creator')
        .executeTakeFirstOrThrow();
      for (const period of (await openPeriods(tx)).slice(0, -OPEN_PERIODS))
        await insertPeriod(tx, period, id);
    });
  } finally {
    await db.close();
  }
}
