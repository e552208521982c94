import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';

test('each test database is migrated, separate, and removed when it is dropped', async () => {
  const first = await createTestDatabase();
  const second = await createTestDatabase();
  const client = new pg.Client({ connectionString: first.url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(
    `SELECT to_regclass('conversations') IS NOT NULL AS migrated, lower('É') AS lower`,
  );
  expect(rows).toEqual([{ migrated: true, lower: 'é' }]);
  expect(second.url).not.toBe(first.url);
  await first.drop();
  await second.drop();
  await expect(new pg.Client({ connectionString: first.url }).connect()).rejects.toThrow(
    'does not exist',
  );
});
