import { deleteView, listViews, saveView, VIEWS_MAX } from '@stagedoor/contract/inbox/views';
import { createSegment, deleteSegment } from '@stagedoor/contract/selling/segments';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { expect, test } from 'vitest';
import { buildStaff, type Staff } from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp } from '../../../test/test-app.ts';

const app = await sharedApp();

const VIEW = {
  name: 'VIPs who wait',
  filter: 'needs_reply',
  sort: 'longest_waiting',
  tag: 'VIP',
  search: '',
} as const;
const NO_SEGMENT = { segment: null, lost_segment: null };
const save = async (
  { client }: Staff,
  view: Partial<typeof VIEW> | { name: string } | { segment: string } = {},
) => (await client.call(saveView, { body: { ...VIEW, ...view } })).body.data;
const views = async ({ client }: Staff) => (await client.call(listViews)).body.data;

test('views are per admin, oldest first', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const first = await save(mango);
  const second = await save(mango, { name: 'Others' });
  expect(first).toEqual({ id: expect.any(String), ...VIEW, ...NO_SEGMENT });
  expect(await views(mango)).toEqual([first, second]);
  expect(await views(kiwi)).toEqual([]);
});

test('saving a view with the same name replaces the old one', async () => {
  const mango = await buildStaff(app);
  const { id } = await save(mango);
  const { client } = mango;
  const { body } = await client.call(saveView, {
    body: { ...VIEW, name: ' vips WHO wait ', filter: 'mine' },
  });
  expect(body.data).toEqual({ ...VIEW, ...NO_SEGMENT, id, name: 'vips WHO wait', filter: 'mine' });
  expect(await views(mango)).toEqual([body.data]);
});

test('only the admin who saved a view can delete it', async () => {
  const [mango, kiwi] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await save(mango);
  const notFound = { status: 404, code: 'view_not_found' };
  expect(await kiwi.client.refused(deleteView, { params: { id } })).toMatchObject(notFound);
  await mango.client.call(deleteView, { params: { id } });
  expect(await views(mango)).toEqual([]);
  expect(await mango.client.refused(deleteView, { params: { id } })).toMatchObject(notFound);
});

test(`an admin has at most ${VIEWS_MAX} views, even with simultaneous saves`, async () => {
  const mango = await buildStaff(app);
  const replies = await Promise.all(
    Array.from({ length: VIEWS_MAX + 2 }, (_, index) =>
      mango.client.raw('POST', saveView.path, { body: { ...VIEW, name: `View ${index}` } }),
    ),
  );
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(2);
  expect(await views(mango)).toHaveLength(VIEWS_MAX);
  const [one] = await views(mango);
  expect(await save(mango, { name: one?.name ?? '' })).toMatchObject({ id: one?.id });
});

test('a view needs a name', async () => {
  const { client } = await buildStaff(app);
  expect(await client.refused(saveView, { body: { ...VIEW, name: '  ' } })).toMatchObject({
    status: 400,
    error: 'Enter a name for the view',
  });
});

test('a view filters by a segment until that is deleted, and then says so', async () => {
  const [mango, manager] = [await buildStaff(app), await buildStaff(app, { role: 'manager' })];
  const body = { name: 'Whales', rule: { all: [] } };
  const { id } = (await manager.client.call(createSegment, { body })).body.data;
  const view = await save(mango, { segment: id });
  expect(view).toMatchObject({ segment: id, lost_segment: null });
  await manager.client.call(deleteSegment, { params: { id } });
  expect(await views(mango)).toEqual([{ ...view, segment: null, lost_segment: 'Whales' }]);
  const refused = { status: 404, code: 'segment_not_found' };
  const again = { body: { ...VIEW, segment: id } };
  expect(await mango.client.refused(saveView, again)).toMatchObject(refused);
  expect(await save(mango)).toEqual({ ...view, ...NO_SEGMENT });
});

test('a segment deleted while a view of it is saved is not found', async () => {
  const [mango, manager] = [await buildStaff(app), await buildStaff(app, { role: 'manager' })];
  const made = await manager.client.call(createSegment, {
    body: { name: 'Whales', rule: { all: [] } },
  });
  const { id } = made.body.data;
  const lock = `select from admins where id = '${mango.admin.id}' for no key update`;
  const { saved } = await whileLocked(app.databaseUrl, lock, async () => {
    const saved = mango.client.refused(saveView, { body: { ...VIEW, segment: id } });
    await untilWaiting(app, 1);
    await manager.client.call(deleteSegment, { params: { id } });
    return { saved };
  });
  expect(await saved).toMatchObject({ status: 404, code: 'segment_not_found' });
  expect(await views(mango)).toEqual([]);
});

test('views are deleted with their admin', async () => {
  const [mango, manager] = [await buildStaff(app), await buildStaff(app, { role: 'manager' })];
  await save(mango);
  await manager.client.call(removeAdmin, { params: { id: mango.admin.id } });
  const rows = await app.db.kysely
    .selectFrom('saved_views')
    .select('id')
    .where('admin_id', '=', mango.admin.id)
    .execute();
  expect(rows).toEqual([]);
});
