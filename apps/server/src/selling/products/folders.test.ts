import {
  createFolder,
  createProduct,
  deleteFolder,
  deleteProduct,
  listFolders,
  listProducts,
  updateFolder,
  updateProduct,
} from '@stagedoor/contract/selling/products';
import type { AdminRole } from '@stagedoor/contract/team/auth';
import { expect, test } from 'vitest';
import { buildStaff, unique } from '../../../test/factories.ts';
import { untilWaiting, whileLocked } from '../../../test/on-database.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { buildFolder, buildProduct, productForm } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;

const folders = async () => (await client.call(listFolders)).body.data;
const inFolder = async (folder_id: string) =>
  (await client.call(listProducts, { query: { folder_id } })).body.data.map(({ id }) => id);

test('folders are listed by name, ignoring case', async () => {
  const own = await startTestApp();
  const staff = await buildStaff(own, { role: 'manager' });
  for (const name of ['beach', 'Attic', 'Cellar', 'attic 2']) await buildFolder(staff, name);
  const { body } = await staff.client.call(listFolders);
  expect(body.data.map(({ name }) => name)).toEqual(['Attic', 'attic 2', 'beach', 'Cellar']);
  await own.close();
});

test('a folder has a trimmed name and an optional description, which renaming keeps', async () => {
  const { body, status } = await client.call(createFolder, {
    body: { name: '  Summer ', description: 'Warm' },
  });
  expect(status).toBe(201);
  const { id } = body.data;
  expect(body.data).toEqual({ id, name: 'Summer', description: 'Warm' });
  const renamed = await client.call(updateFolder, { params: { id }, body: { name: 'Autumn' } });
  expect(renamed.body.data).toEqual({ id, name: 'Autumn', description: 'Warm' });
  const cleared = await client.call(updateFolder, {
    params: { id },
    body: { name: 'Autumn', description: '' },
  });
  expect(cleared.body.data.description).toBeNull();
  await client.call(updateFolder, { params: { id }, body: { name: 'Autumn', description: 'x' } });
  const none = await client.call(updateFolder, {
    params: { id },
    body: { name: 'Autumn', description: null },
  });
  expect(none.body.data.description).toBeNull();
  expect(await folders()).toContainEqual({ id, name: 'Autumn', description: null });
});

test('two folders can’t share a name in any case and script, by creation or renaming, even concurrently', async () => {
  const name = unique('Élan');
  const first = await buildFolder(manager, name);
  const second = await buildFolder(manager);
  const taken = ` ${name.replace('É', 'é').toUpperCase()} `;
  for (const refusal of [
    await client.refused(createFolder, { body: { name: taken } }),
    await client.refused(updateFolder, { params: { id: second.id }, body: { name: taken } }),
  ]) {
    expect(refusal).toMatchObject({
      status: 409,
      code: 'folder_exists',
      error: 'A folder with this name already exists',
      fields: { name: 'A folder with this name already exists' },
    });
  }
  expect(await folders()).toContainEqual(second);
  const own = await client.call(updateFolder, {
    params: { id: first.id },
    body: { name: name.toUpperCase() },
  });
  expect(own.body.data.name).toBe(name.toUpperCase());

  const wanted = unique('Folder');
  const replies = await Promise.all(
    Array.from({ length: 8 }, () =>
      client.raw('POST', createFolder.path, { body: { name: wanted } }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
});

test.each([{}, { name: '' }, { name: '   ' }, { name: null }])(
  'a folder needs a name: %j is refused',
  async (body) => {
    const { id } = await buildFolder(manager);
    for (const refusal of [
      await client.refused(createFolder, { body }),
      await client.refused(updateFolder, { params: { id }, body }),
    ]) {
      expect(refusal).toMatchObject({
        status: 400,
        code: 'invalid_request',
        error: 'Folder name is required',
      });
    }
  },
);

test('the list of a folder has only its products, newest first; the full list has every product', async () => {
  const [one, two] = [await buildFolder(manager), await buildFolder(manager)];
  const first = await buildProduct(manager, { folder_id: one.id });
  const second = await buildProduct(manager, { folder_id: one.id });
  const other = await buildProduct(manager, { folder_id: two.id });
  expect(await inFolder(one.id)).toEqual([second.id, first.id]);
  expect(await inFolder(two.id)).toEqual([other.id]);
  expect((await inFolder('')).slice(0, 3)).toEqual([other.id, second.id, first.id]);
  expect(await inFolder(crypto.randomUUID())).toEqual([]);
  expect(await inFolder('nonsense')).toEqual([]);
});

test('deleting a folder keeps its products, without a folder', async () => {
  const folder = await buildFolder(manager);
  const product = await buildProduct(manager, { folder_id: folder.id });
  await client.call(deleteFolder, { params: { id: folder.id } });
  expect((await folders()).map(({ id }) => id)).not.toContain(folder.id);
  const { body } = await client.call(listProducts);
  expect(body.data.find(({ id }) => id === product.id)).toMatchObject({ folder_id: null });
});

test('no product can be moved into a folder that is being deleted', async () => {
  const folder = await buildFolder(manager);
  const inside = await buildProduct(manager, { folder_id: folder.id });
  const outside = await buildProduct(manager);
  const path = updateProduct.path.replace('{id}', outside.id);
  // While this product is locked, the deletion waits inside its transaction, and the move begins.
  const lock = `select from products where id = '${inside.id}' for update`;
  const [deleting, moving] = await whileLocked(app.databaseUrl, lock, async () => {
    const deletion = client.call(deleteFolder, { params: { id: folder.id } });
    await untilWaiting(app, 1);
    const move = client.raw(updateProduct.method, path, { body: { folder_id: folder.id } });
    await Promise.race([move, untilWaiting(app, 2)]);
    return [deletion, move];
  });
  await deleting;
  expect((await moving).status).toBe(404);
});

test('unknown folders can’t be renamed or deleted', async () => {
  const gone = await buildFolder(manager);
  await client.call(deleteFolder, { params: { id: gone.id } });
  for (const id of ['nonsense', crypto.randomUUID(), gone.id]) {
    for (const refusal of [
      await client.refused(updateFolder, { params: { id }, body: { name: 'x' } }),
      await client.refused(deleteFolder, { params: { id } }),
    ]) {
      expect(refusal).toMatchObject({ status: 404, code: 'folder_not_found' });
    }
  }
});

const CHANGES = {
  support: false,
  moderator: false,
  manager: true,
  creator: true,
} satisfies Record<AdminRole, boolean>;

test.each(Object.entries(CHANGES))(
  'a %s can read the catalog; can change it: %s',
  async (role, may) => {
    const staff = await buildStaff(app, { role: role as AdminRole, can_manage_messages: false });
    const product = await buildProduct(manager);
    const folder = await buildFolder(manager);
    const { body } = await staff.client.call(listProducts);
    expect(body.data.map(({ id }) => id)).toContain(product.id);
    expect((await staff.client.call(listFolders)).body.data).toContainEqual(folder);

    const attempts = [
      [createProduct, { body: await productForm() }],
      [updateProduct, { params: { id: product.id }, body: { title: 'x' } }],
      [deleteProduct, { params: { id: product.id } }],
      [createFolder, { body: { name: unique('Folder') } }],
      [updateFolder, { params: { id: folder.id }, body: { name: unique('Folder') } }],
      [deleteFolder, { params: { id: folder.id } }],
    ] as const;
    for (const [endpoint, input] of attempts) {
      const path = endpoint.path.replace('{id}', 'params' in input ? input.params.id : '');
      const reply = await staff.client.raw(endpoint.method, path, {
        ...('body' in input && { body: input.body }),
      });
      const { code } = JSON.parse(reply.text) as { code?: string };
      expect([reply.status < 300, code]).toEqual([may, may ? undefined : 'permission_required']);
    }
  },
);
