import { removeAdmin } from '@stagedoor/contract/admins';
import { listAudit } from '@stagedoor/contract/audit';
import { deleteProduct, updateProduct } from '@stagedoor/contract/products';
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  noteTemplateUse,
  OWN_TEMPLATES_MAX,
  SHARED_TEMPLATES_MAX,
  updateTemplate,
} from '@stagedoor/contract/templates';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { buildProduct } from '../../../test/catalogue.ts';
import { buildStaff, type Staff, unique } from '../../../test/factories.ts';
import { startTestApp } from '../../../test/test-app.ts';

const app = await startTestApp();
afterAll(() => app.close());
const manager = await buildStaff(app, { role: 'manager' });

type Body = Parameters<typeof make>[1];
async function make(
  { client }: Staff,
  overrides: {
    name?: string;
    content?: string;
    folder?: string;
    product?: { id: string; price: number };
    is_shared?: boolean;
  } = {},
) {
  const body = { name: unique('Template'), content: 'Hi!', is_shared: true, ...overrides };
  return (await client.call(createTemplate, { body })).body.data;
}

const listOf = async ({ client }: Staff) => (await client.call(listTemplates)).body.data;
const idsOf = async (staff: Staff) => (await listOf(staff)).map(({ id }) => id);
const refused = async (answer: Promise<{ status: number; code: string }>) => {
  const { status, code } = await answer;
  return { status, code };
};

test('a shared template is everyone’s to use, its maker’s and managers’ to change', async () => {
  const [maker, colleague] = [await buildStaff(app), await buildStaff(app)];
  const made = await make(maker, { content: 'Hi {first_name}', folder: ' Greetings ' });
  expect(made).toMatchObject({
    content: 'Hi {first_name}',
    folder: 'Greetings',
    is_shared: true,
    uses: 0,
    version: 1,
    product: null,
    maker: { id: maker.admin.id, codename: maker.admin.codename },
  });
  expect(await idsOf(colleague)).toContain(made.id);
  const change = { params: { id: made.id }, body: { version: 1, content: 'Hey' } };
  expect(await refused(colleague.client.refused(updateTemplate, change))).toEqual({
    status: 403,
    code: 'permission_required',
  });
  expect(await refused(colleague.client.refused(deleteTemplate, change))).toMatchObject({
    status: 403,
  });
  const own = await maker.client.call(updateTemplate, change);
  expect(own.body.data).toMatchObject({ content: 'Hey', name: made.name, version: 2 });
  const body = { version: 2, name: 'Hello' };
  await manager.client.call(updateTemplate, { params: change.params, body });
  await manager.client.call(deleteTemplate, { params: change.params });
  expect(await idsOf(maker)).not.toContain(made.id);
});

test('a template of one’s own is nobody else’s, whoever asks', async () => {
  const [maker, colleague] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await make(maker, { is_shared: false });
  expect(await idsOf(maker)).toContain(id);
  for (const other of [colleague, manager]) {
    expect(await idsOf(other)).not.toContain(id);
    const input = { params: { id }, body: { version: 1, name: 'Mine now' } };
    for (const endpoint of [updateTemplate, deleteTemplate, noteTemplateUse]) {
      const { body, ...call } = input;
      const asked = endpoint === updateTemplate ? { ...call, body } : call;
      expect(await refused(other.client.refused(endpoint, asked))).toEqual({
        status: 404,
        code: 'template_not_found',
      });
    }
  }
});

test('who may not write keeps no templates, and may read them', async () => {
  const reader = await buildStaff(app, { can_manage_messages: false });
  const { id } = await make(manager);
  expect(await idsOf(reader)).toContain(id);
  const body = { name: 'x', content: 'x', is_shared: false };
  expect(await refused(reader.client.refused(createTemplate, { body }))).toEqual({
    status: 403,
    code: 'message_privilege_required',
  });
});

test('a save of what a colleague has saved meanwhile is refused with what is stored', async () => {
  const made = await make(manager);
  const params = { id: made.id };
  await manager.client.call(updateTemplate, { params, body: { version: 1, content: 'First' } });
  const reply = await manager.client.raw('PATCH', `/api/messages/admin/templates/${made.id}`, {
    body: { version: 1, content: 'Second' },
  });
  expect(reply.status).toBe(409);
  expect(JSON.parse(reply.text)).toMatchObject({
    code: 'edit_conflict',
    current: { id: made.id, content: 'First', version: 2 },
  });
  const all = await listOf(manager);
  expect(all.find(({ id }) => id === made.id)?.content).toBe('First');
});

test.each([
  ['no name', { name: '  ' }, 'name'],
  ['neither text nor product', { content: ' \n ' }, 'content'],
  ['a text that is too long', { content: 'x'.repeat(4_001) }, 'content'],
] satisfies [string, Body, string][])('%s is refused by its field', async (_what, part, field) => {
  const body = { name: 'x', content: 'x', is_shared: true, ...part };
  const refusal = await manager.client.refused(createTemplate, { body });
  expect(refusal.status).toBe(400);
  expect(Object.keys(refusal.fields)).toEqual([field]);
});

test('a template offers a product at its own price, says whether it is for sale, and loses one that is gone', async () => {
  const product = await buildProduct(manager, { price: '9.99' });
  const made = await make(manager, { content: '', product: { id: product.id, price: 25 } });
  expect(made.product).toEqual({
    id: product.id,
    title: product.title,
    price: 25,
    is_active: true,
  });
  const found = async () => (await listOf(manager)).find(({ id }) => id === made.id)?.product;
  const params = { id: product.id };
  await manager.client.call(updateProduct, { params, body: { is_active: false } });
  expect(await found()).toMatchObject({ is_active: false });
  await manager.client.call(deleteProduct, { params });
  expect(await found()).toBeNull();
  const gone = { name: 'x', content: 'x', is_shared: true, product: { id: product.id, price: 1 } };
  expect(await refused(manager.client.refused(createTemplate, { body: gone }))).toEqual({
    status: 404,
    code: 'product_not_found',
  });
});

test('the most used come first', async () => {
  const staff = await buildStaff(app);
  const [rare, often] = [await make(staff), await make(staff)];
  for (let n = 1; n <= 3; n++) {
    const { body } = await staff.client.call(noteTemplateUse, { params: { id: often.id } });
    expect(body.data.uses).toBe(n);
  }
  const ids = (await idsOf(staff)).filter((id) => [rare.id, often.id].includes(id));
  expect(ids).toEqual([often.id, rare.id]);
});

test('what changed is told to all where it is shared, and to its maker alone where it is not', async () => {
  const [maker, colleague] = [await buildStaff(app), await buildStaff(app)];
  const own = await app.connectSocket(maker.token);
  const other = await app.connectSocket(colleague.token);
  const { id } = await make(maker, { is_shared: false });
  await own.nextEvent('shared_updated', ({ what }) => what === 'templates');
  await make(maker);
  await other.nextEvent('shared_updated', ({ what }) => what === 'templates');
  expect(other.received('shared_updated')).toHaveLength(1);
  // From then on it is everyone's; and what they lose they are told of too.
  const params = { id };
  await maker.client.call(updateTemplate, { params, body: { version: 1, is_shared: true } });
  await other.nextEvent('shared_updated');
  await maker.client.call(updateTemplate, { params, body: { version: 2, is_shared: false } });
  await other.nextEvent('shared_updated');
});

test('changes of shared templates are in the audit log, those of one’s own are not', async () => {
  const maker = await buildStaff(app);
  const shared = await make(maker);
  await make(maker, { is_shared: false });
  await maker.client.call(deleteTemplate, { params: { id: shared.id } });
  const query = { admin_id: maker.admin.id };
  const { body } = await manager.client.call(listAudit, { query });
  expect(body.data.map(({ action, target_label }) => [action, target_label])).toEqual([
    ['template.delete', shared.name],
    ['template.create', shared.name],
  ]);
});

test('there are 500 shared ones at most, and 200 of one’s own, however many are made at once', async () => {
  const own = await startTestApp();
  const staff = await buildStaff(own);
  await sql`insert into templates (maker_id, is_shared, name, content, folder)
    select ${staff.admin.id}, n <= ${SHARED_TEMPLATES_MAX - 1}, 'x', 'x', ''
    from generate_series(1, ${SHARED_TEMPLATES_MAX + OWN_TEMPLATES_MAX - 2}) n`.execute(
    own.db.kysely,
  );
  for (const is_shared of [true, false]) {
    const body = { name: 'x', content: 'x', is_shared };
    const { method, path } = createTemplate;
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => staff.client.raw(method, path, { body })),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409,
    ]);
  }
  expect(await listOf(staff)).toHaveLength(SHARED_TEMPLATES_MAX + OWN_TEMPLATES_MAX);
  await own.close();
});

test('what a removed admin shared stays, and managers go on with it', async () => {
  const maker = await buildStaff(app);
  const { id } = await make(maker);
  await manager.client.call(removeAdmin, { params: { id: maker.admin.id } });
  expect(await idsOf(manager)).toContain(id);
  const body = { version: 1, content: 'Still here' };
  await manager.client.call(updateTemplate, { params: { id }, body });
});
