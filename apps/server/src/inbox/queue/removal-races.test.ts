import { type BulkAction, bulk } from '@stagedoor/contract/inbox/bulk';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildStaff, type Staff } from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';

const ROUNDS = 5;
const app = await sharedApp();
const [manager, other] = [
  await buildStaff(app, { role: 'manager' }),
  await buildStaff(app, { role: 'manager' }),
];

/** Opens ten conversations. The admin has claimed all but the last. */
async function openFor({ admin }: Staff): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with fan as (
      insert into fans (external_id) select gen_random_uuid()::text from generate_series(1, 10) returning id
    ) insert into conversations (fan_id, creator_id) select fan.id, creators.id from fan, creators
    returning id`.execute(app.db.kysely);
  const ids = rows.map(({ id }) => id).toSorted();
  await app.db.kysely
    .updateTable('conversations')
    .set({ claimed_by: admin.id })
    .where('id', 'in', ids.slice(0, -1))
    .execute();
  return ids;
}

test.each<[string, (leaving: Staff) => [Staff, BulkAction]]>([
  ['a bulk claim', (leaving) => [leaving, { kind: 'claim' }]],
  ['a bulk assignment', ({ admin }) => [other, { kind: 'assign', admin_id: admin.id }]],
])('%s and the removal of the same admin don’t deadlock', async (_name, choose) => {
  for (let round = 0; round < ROUNDS; round++) {
    const leaving = await buildStaff(app);
    const ids = await openFor(leaving);
    const [actor, action] = choose(leaving);
    // The locked row stops the bulk action halfway, so that the removal begins during it.
    const lock = `select from conversations where id = '${ids.at(-1)}' for no key update`;
    const replies = await whileLocked(app.databaseUrl, lock, async () => {
      const acting = actor.client.raw(bulk.method, bulk.path, { body: { ids, action } });
      await untilWaiting(app, 1);
      const removal = removeAdmin.path.replace('{id}', leaving.admin.id);
      const removing = manager.client.raw(removeAdmin.method, removal);
      await untilWaiting(app, 2);
      return [acting, removing];
    });
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200]);
    const claims = app.db.kysely.selectFrom('conversations').select('id');
    expect(await claims.where('claimed_by', '=', leaving.admin.id).execute()).toEqual([]);
  }
});
