import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/database.ts';
import { openDatabase } from './database.ts';
import { newId } from './new-id.ts';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

test('ids hold the time of their creation, from the program and from the database', async () => {
  const { url, drop } = await createTestDatabase();
  const db = openDatabase({ connectionString: url }, () => undefined);
  try {
    const { rows } = await sql<{ id: string; now: number }>`
      select new_id() as id, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now from generate_series(1, 100)`.execute(
      db.kysely,
    );
    for (const { id, now } of rows) {
      expect(id).toMatch(VERSION_7);
      expect(Math.abs(timeOf(id) - now)).toBeLessThan(60_000);
    }
    const from = Date.now();
    const own = Array.from({ length: 100 }, newId);
    const until = Date.now();
    for (const id of own) {
      expect(id).toMatch(VERSION_7);
      expect(timeOf(id)).toBeGreaterThanOrEqual(from);
      expect(timeOf(id)).toBeLessThanOrEqual(until);
    }
    const all = [...own, ...rows.map(({ id }) => id)];
    expect(new Set(all).size).toBe(all.length);
  } finally {
    await db.close();
    await drop();
  }
});
