import type { Fruit } from '@stagedoor/contract/team/admins';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { FRUITS } from './fruits.ts';

/** Returns the fruits that no admin has or ever had. A `number` of 2 or more is appended to each name. */
async function freeFruits(db: Kysely<Tables>, number: number): Promise<string[]> {
  const names = FRUITS.map((fruit) => (number === 1 ? fruit : `${fruit} ${number}`));
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name
    where not exists (select from codenames where key = codename_key(name))`.execute(db);
  return rows.map((row) => row.name);
}

/** Picks a random fruit that no admin has or ever had. If all are taken, appends a number. */
export async function freeCodename(db: Kysely<Tables>): Promise<string> {
  for (let number = 1; ; number++) {
    const free = await freeFruits(db, number);
    const picked = free[Math.floor(Math.random() * free.length)];
    if (picked !== undefined) return picked;
  }
}

/** Returns the list of fruits, with whether each is taken. */
export async function listFruits(db: Kysely<Tables>): Promise<Fruit[]> {
  const free = new Set(await freeFruits(db, 1));
  return FRUITS.map((name) => ({ name, taken: !free.has(name) }));
}
