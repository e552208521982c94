import { randomBytes } from 'node:crypto';
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  noteTemplateUse,
  OWN_TEMPLATES_MAX,
  SHARED_TEMPLATES_MAX,
  takeTemplateFile,
  updateTemplate,
} from '@stagedoor/contract/messaging/templates';
import { deleteProduct, updateProduct } from '@stagedoor/contract/selling/products';
import { removeAdmin } from '@stagedoor/contract/team/admins';
import { listAudit } from '@stagedoor/contract/team/audit';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  buildConversation,
  buildReply,
  buildStaff,
  type Staff,
  unique,
} from '../../../test/factories.ts';
import { fetchFile, traces, uploadAsStaff, uploadForTemplate } from '../../../test/files.ts';
import { sharedApp, startTestApp } from '../../../test/test-app.ts';
import { sweepUp } from '../../../test/traces.ts';
import { buildPicture, buildProduct } from '../../../test/worlds/catalogue.ts';
import { createMediaLinks } from '../../media/media-links.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });

type Body = Parameters<typeof make>[1];
async function make(
  { client }: Staff,
  overrides: {
    name?: string;
    content?: string;
    folder?: string;
    product?: { id: string; price: number };
    attachments?: { id: string }[];
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

test('a shared template can be used by everyone and changed by its maker and managers', async () => {
  const [maker, teammate] = [await buildStaff(app), await buildStaff(app)];
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
  expect(await idsOf(teammate)).toContain(made.id);
  const change = { params: { id: made.id }, body: { version: 1, content: 'Hey' } };
  expect(await refused(teammate.client.refused(updateTemplate, change))).toEqual({
    status: 403,
    code: 'permission_required',
  });
  expect(await refused(teammate.client.refused(deleteTemplate, change))).toMatchObject({
    status: 403,
  });
  const own = await maker.client.call(updateTemplate, change);
  expect(own.body.data).toMatchObject({ content: 'Hey', name: made.name, version: 2 });
  const body = { version: 2, name: 'Hello' };
  await manager.client.call(updateTemplate, { params: change.params, body });
  await manager.client.call(deleteTemplate, { params: change.params });
  expect(await idsOf(maker)).not.toContain(made.id);
});

test('a private template is visible to its maker only', async () => {
  const [maker, teammate] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await make(maker, { is_shared: false });
  expect(await idsOf(maker)).toContain(id);
  for (const other of [teammate, manager]) {
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

test('admins without message privileges can read templates but not create them', async () => {
  const reader = await buildStaff(app, { can_manage_messages: false });
  const { id } = await make(manager);
  expect(await idsOf(reader)).toContain(id);
  const body = { name: 'x', content: 'x', is_shared: false };
  expect(await refused(reader.client.refused(createTemplate, { body }))).toEqual({
    status: 403,
    code: 'message_privilege_required',
  });
});

test('saving over a teammate’s newer change is refused with the stored template', async () => {
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
  ['neither text nor product nor file', { content: ' \n ' }, 'content'],
  ['a text that is too long', { content: 'x'.repeat(4_001) }, 'content'],
] satisfies [string, Body, string][])(
  '%s is refused with its field',
  async (_what, part, field) => {
    const body = { name: 'x', content: 'x', is_shared: true, ...part };
    const refusal = await manager.client.refused(createTemplate, { body });
    expect(refusal.status).toBe(400);
    expect(Object.keys(refusal.fields)).toEqual([field]);
  },
);

test('a template offers a product at its own price, says whether it is for sale, and drops a deleted one', async () => {
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

test('the most used templates come first', async () => {
  const staff = await buildStaff(app);
  const [rare, often] = [await make(staff), await make(staff)];
  for (let n = 1; n <= 3; n++) {
    const { body } = await staff.client.call(noteTemplateUse, { params: { id: often.id } });
    expect(body.data.uses).toBe(n);
  }
  const ids = (await idsOf(staff)).filter((id) => [rare.id, often.id].includes(id));
  expect(ids).toEqual([often.id, rare.id]);
});

test('a change is emitted to all staff if shared, and otherwise to the maker only', async () => {
  const [maker, teammate] = [await buildStaff(app), await buildStaff(app)];
  const own = await app.connectSocket(maker.token);
  const other = await app.connectSocket(teammate.token);
  const { id } = await make(maker, { is_shared: false });
  await own.nextEvent('shared_updated', ({ what }) => what === 'templates');
  await make(maker);
  await other.nextEvent('shared_updated', ({ what }) => what === 'templates');
  expect(other.received('shared_updated')).toHaveLength(1);
  // Once shared, everyone gets its events, including the one that unshares it.
  const params = { id };
  await maker.client.call(updateTemplate, { params, body: { version: 1, is_shared: true } });
  await other.nextEvent('shared_updated');
  await maker.client.call(updateTemplate, { params, body: { version: 2, is_shared: false } });
  await other.nextEvent('shared_updated');
});

test('only changes of shared templates are in the audit log', async () => {
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

test('there are at most 500 shared templates and 200 private ones, even with concurrent requests', async () => {
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

test('a removed admin’s shared templates stay, and managers can change them', async () => {
  const maker = await buildStaff(app);
  const { id } = await make(maker);
  await manager.client.call(removeAdmin, { params: { id: maker.admin.id } });
  expect(await idsOf(manager)).toContain(id);
  const body = { version: 1, content: 'Still here' };
  await manager.client.call(updateTemplate, { params: { id }, body });
});

const picture = async () => ({ data: await buildPicture(), filename: 'photo.png' });
const note = (said = 'some text') => ({
  data: new TextEncoder().encode(said),
  filename: 'note.txt',
});
const named = (files: readonly { id: string }[]) => files.map(({ id }) => ({ id }));
const statusOf = async (path: string | null | undefined) => (await fetchFile(app, path)).status;
/** Makes unused files more than a day old, and runs the sweep. */
async function sweepTomorrow() {
  await sql`update template_files set created_at = created_at - interval '25 hours'`.execute(
    app.db.kysely,
  );
  await sql`update uploads set created_at = created_at - interval '25 hours'
    where message_id is null`.execute(app.db.kysely);
  await sweepUp(app);
}

test('a template has files in order, with or without a text, visible to all staff', async () => {
  const [maker, teammate] = [await buildStaff(app), await buildStaff(app)];
  const files = await uploadForTemplate(maker, await picture(), note());
  const made = await make(maker, { content: '', attachments: named(files.toReversed()) });
  expect(made.attachments).toMatchObject([
    { id: files[1]?.id, type: 'file', filename: 'note.txt', size: 9, thumbnail_url: null },
    { id: files[0]?.id, type: 'image', filename: 'photo.png', mime_type: 'image/png' },
  ]);
  const seen = (await listOf(teammate)).find(({ id }) => id === made.id);
  const [text, photo] = seen?.attachments ?? [];
  const asTeammate = { headers: { authorization: `Bearer ${teammate.token}` } };
  expect((await fetchFile(app, text?.url, asTeammate)).bytes.toString()).toBe('some text');
  expect((await fetchFile(app, photo?.thumbnail_url, asTeammate)).status).toBe(200);
});

test('files can be added, kept, reordered and removed, also by managers', async () => {
  const maker = await buildStaff(app);
  const [first, second] = await uploadForTemplate(maker, note('1'), note('2'));
  const made = await make(maker, { attachments: named([first, second].flatMap((f) => f ?? [])) });
  const params = { id: made.id };
  const change = async (version: number, part: object) =>
    (await manager.client.call(updateTemplate, { params, body: { version, ...part } })).body.data;
  const renamed = await change(1, { name: 'Renamed' });
  expect(named(renamed.attachments)).toEqual(named(made.attachments));
  const [third] = await uploadForTemplate(manager, note('3'));
  const wanted = [{ id: third?.id ?? '' }, { id: second?.id ?? '' }];
  expect(named((await change(2, { attachments: wanted })).attachments)).toEqual(wanted);
  await sweepUp(app);
  expect(await statusOf(first?.url)).toBe(404);
  expect(await statusOf(second?.url)).toBe(200);
  const emptied = { params, body: { version: 3, content: '', attachments: [] } };
  expect(await refused(manager.client.refused(updateTemplate, emptied))).toMatchObject({
    status: 400,
  });
  expect(await statusOf(third?.url)).toBe(200);
});

test('a template accepts only the admin’s own template uploads that are in no other template', async () => {
  const [maker, teammate] = [await buildStaff(app), await buildStaff(app)];
  const { id: conversationId } = await buildConversation(app);
  const foreign = await uploadForTemplate(teammate, note());
  const used = (await make(maker, { attachments: named(await uploadForTemplate(maker, note())) }))
    .attachments;
  const ofConversation = await uploadAsStaff(maker, conversationId, note());
  const own = await uploadForTemplate(maker, note());
  const unknown = [{ id: '00000000-0000-4000-8000-000000000000' }];
  const twice = [...named(own), ...named(own)];
  for (const files of [foreign, used, ofConversation, unknown, [{ id: 'x' }], twice]) {
    const attachments = named(files);
    const body = { name: unique('refused'), content: 'x', is_shared: true, attachments };
    const invalid = { status: 400, code: 'invalid_attachment' };
    expect(await refused(maker.client.refused(createTemplate, { body }))).toEqual(invalid);
    const { id } = await make(maker);
    const change = { params: { id }, body: { version: 1, name: 'x', attachments } };
    expect(await refused(maker.client.refused(updateTemplate, change))).toEqual(invalid);
    const stored = (await listOf(maker)).filter(({ name }) => name === body.name || name === 'x');
    expect(stored).toEqual([]);
  }
  await make(maker, { attachments: named(own) });
});

test('an upload for a template can’t be sent in a message', async () => {
  const staff = await buildStaff(app);
  const { id } = await buildConversation(app);
  const attachments = named(await uploadForTemplate(staff, note()));
  await expect(buildReply(staff, id, { attachments })).rejects.toThrow('invalid_attachment');
});

test('a template’s file can be sent repeatedly; template and message can be deleted independently', async () => {
  const [maker, teammate] = [await buildStaff(app), await buildStaff(app)];
  const [one, other] = [await buildConversation(app), await buildConversation(app)];
  const uploads = await uploadForTemplate(maker, await picture());
  const made = await make(maker, { attachments: named(uploads) });
  const file = made.attachments[0];
  const take = async (conversation_id: string) => {
    const body = { conversation_id, attachment_id: file?.id ?? '' };
    const { client } = teammate;
    return (await client.call(takeTemplateFile, { params: { id: made.id }, body })).body.attachment;
  };
  const sent = [];
  for (const { id } of [one, one, other]) {
    const { attachments } = await buildReply(teammate, id, {
      attachments: [{ id: (await take(id)).id }],
    });
    expect(attachments).toMatchObject([{ type: 'image', filename: 'photo.png', size: file?.size }]);
    sent.push(attachments[0]);
  }
  const forgotten = await take(one.id);
  await app.db.kysely.deleteFrom('conversations').where('id', '=', other.id).execute();
  await sweepTomorrow();
  expect(await statusOf(sent[2]?.url)).toBe(404);
  expect(await statusOf(forgotten.url)).toBe(404);
  expect(await statusOf(file?.url)).toBe(200);
  await maker.client.call(deleteTemplate, { params: { id: made.id } });
  await sweepUp(app);
  expect([await statusOf(file?.url), await statusOf(file?.thumbnail_url)]).toEqual([404, 404]);
  for (const part of sent.slice(0, 2)) {
    expect([await statusOf(part?.url), await statusOf(part?.thumbnail_url)]).toEqual([200, 200]);
  }
});

test('files are taken only from visible templates with that file, into existing conversations', async () => {
  const [maker, teammate] = [await buildStaff(app), await buildStaff(app)];
  const { id } = await buildConversation(app);
  const [own, shared] = [
    await make(maker, {
      is_shared: false,
      attachments: named(await uploadForTemplate(maker, note())),
    }),
    await make(maker, { attachments: named(await uploadForTemplate(maker, note())) }),
  ];
  const idOf = ({ attachments }: typeof own) => attachments[0]?.id ?? '';
  const asked = async (template: string, attachment_id: string, conversation_id = id) => {
    const input = { params: { id: template }, body: { conversation_id, attachment_id } };
    return (await refused(teammate.client.refused(takeTemplateFile, input))).code;
  };
  expect(await asked(own.id, idOf(own))).toBe('template_not_found');
  expect(await asked(shared.id, idOf(own))).toBe('invalid_attachment');
  expect(await asked(shared.id, idOf(shared), shared.id)).toBe('conversation_not_found');
});

test('a file not added to a template within a day is swept; one in a template stays until it is deleted', async () => {
  const own = await startTestApp();
  const staff = await buildStaff(own);
  const body = { name: 'x', content: '', is_shared: true };
  const attachments = named(await uploadForTemplate(staff, await picture()));
  const { data: made } = (
    await staff.client.call(createTemplate, { body: { ...body, attachments } })
  ).body;
  const kept = (await traces(own)).files;
  await uploadForTemplate(staff, await picture(), note());
  await sql`update template_files set created_at = created_at - interval '25 hours'`.execute(
    own.db.kysely,
  );
  await sweepUp(own);
  expect((await traces(own)).files).toEqual(kept);
  await staff.client.call(deleteTemplate, { params: { id: made.id } });
  await sweepUp(own);
  expect(await traces(own)).toEqual({ files: [], uploads: 0, garbage: 0 });
  await own.close();
});

test('a template’s file opens for signed-in staff only, never for fans', async () => {
  const mediaKey = randomBytes(32);
  const own = await startTestApp({ mediaKey });
  const staff = await buildStaff(own);
  const { fan, messages } = await buildConversation(own);
  const [file] = await uploadForTemplate(staff, note());
  const links = createMediaLinks(mediaKey);
  for (const messageId of [null, messages[0]?.id ?? '']) {
    const target = { fanId: fan.id, messageId, attachmentId: file?.id ?? '' };
    expect((await fetchFile(own, links.forFan(target, 'file'))).status).toBe(403);
  }
  expect((await fetchFile(own, file?.url)).status).toBe(200);
  await own.db.kysely.deleteFrom('sessions').where('admin_id', '=', staff.admin.id).execute();
  expect((await fetchFile(own, file?.url)).status).toBe(401);
  await own.close();
});

test('of two concurrent saves of a template the later is refused, and its files are not taken', async () => {
  const maker = await buildStaff(app);
  const made = await make(maker, { attachments: named(await uploadForTemplate(maker, note('1'))) });
  const params = { id: made.id };
  await manager.client.call(updateTemplate, { params, body: { version: 1, name: 'First' } });
  const late = await uploadForTemplate(maker, note('2'));
  const { status, text } = await maker.client.raw(
    'PATCH',
    `/api/messages/admin/templates/${made.id}`,
    { body: { version: 1, attachments: named(late) } },
  );
  expect(status).toBe(409);
  expect(JSON.parse(text)).toMatchObject({ current: { attachments: named(made.attachments) } });
  await make(maker, { attachments: named(late) });
});
