import { createInvites } from '@stagedoor/contract/fans/invites';
import { releaseConversation } from '@stagedoor/contract/inbox/conversations';
import { getCreator } from '@stagedoor/contract/platform/platform';
import {
  createFolder,
  createProduct,
  deleteFolder,
  deleteProduct,
  updateFolder,
  updateProduct,
} from '@stagedoor/contract/selling/products';
import {
  addAdmin,
  removeAdmin,
  updateAdminCodename,
  updateAdminColor,
  updateAdminPermissions,
  updateAdminRole,
} from '@stagedoor/contract/team/admins';
import { type AuditEntry, listAudit } from '@stagedoor/contract/team/audit';
import { updateAvatar, uploadAvatar } from '@stagedoor/contract/team/creator';
import { expect, test } from 'vitest';
import { buildAdmin, buildConversation, buildStaff, unique } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildForm, buildPicture, productForm } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();
const manager = await buildStaff(app, { role: 'manager' });
const { client } = manager;

const list = async (query: Record<string, string | number> = {}) =>
  (await client.call(listAudit, { query })).body;

/** Returns the audit entries of one action. */
async function logged(act: () => Promise<unknown>): Promise<AuditEntry[]> {
  const by = manager.admin.id;
  const before = new Set((await list({ admin_id: by, limit: 200 })).data.map(({ id }) => id));
  await act();
  return (await list({ admin_id: by, limit: 200 })).data.filter(({ id }) => !before.has(id));
}

async function expectOne(
  act: () => Promise<unknown>,
  entry: Partial<AuditEntry>,
): Promise<AuditEntry> {
  const entries = await logged(act);
  expect(entries).toHaveLength(1);
  const { id, codename, display_color, email } = manager.admin;
  expect(entries[0]).toMatchObject({ admin: { id, codename, display_color, email }, ...entry });
  return entries[0] as AuditEntry;
}

test('every change of an admin leaves one row', async () => {
  const email = `${unique('logged')}@staff.example`;
  let id = '';
  const add = async () => {
    id = (await client.call(addAdmin, { body: { email, role: 'moderator' } })).body.data.id;
  };
  const added = await expectOne(add, { action: 'admin.add', target_label: email });
  expect(added).toMatchObject({ target_id: id, details: { email, role: 'moderator' } });
  const params = { id };
  await expectOne(
    () => client.call(updateAdminPermissions, { params, body: { can_manage_messages: false } }),
    {
      action: 'admin.update_permissions',
      target_id: id,
      details: { can_manage_messages: false, was: true },
    },
  );
  await expectOne(() => client.call(updateAdminRole, { params, body: { role: 'support' } }), {
    action: 'admin.update_role',
    details: { role: 'support', was: 'moderator' },
  });
  const codename = unique('Logged');
  await expectOne(() => client.call(updateAdminCodename, { params, body: { codename } }), {
    action: 'admin.update_codename',
    details: { codename, was: added.details.codename },
  });
  await expectOne(
    () => client.call(updateAdminColor, { params, body: { display_color: '#112233' } }),
    { action: 'admin.update_color', target_id: id },
  );
  await expectOne(() => client.call(removeAdmin, { params }), {
    action: 'admin.remove',
    details: { email, released: 0 },
  });
  await expectOne(() => client.call(addAdmin, { body: { email } }), {
    action: 'admin.restore',
    target_id: id,
    details: { email, role: 'support', was: 'support' },
  });
});

test('every change of the catalog leaves one row', async () => {
  const product = async () => client.upload(createProduct, await productForm({ title: 'Sunrise' }));
  const created = await expectOne(product, { action: 'product.create', target_label: 'Sunrise' });
  const params = { id: created.target_id };
  await expectOne(() => client.call(updateProduct, { params, body: { title: 'Sunset' } }), {
    action: 'product.update',
    target_id: params.id,
    target_label: 'Sunset',
  });
  await expectOne(() => client.call(deleteProduct, { params }), {
    action: 'product.delete',
    target_label: 'Sunset',
  });
  const folder = await expectOne(() => client.call(createFolder, { body: { name: 'Beach' } }), {
    action: 'folder.create',
    target_label: 'Beach',
  });
  const inFolder = { id: folder.target_id };
  await expectOne(() => client.call(updateFolder, { params: inFolder, body: { name: 'Shore' } }), {
    action: 'folder.update',
    target_label: 'Shore',
  });
  await expectOne(() => client.call(deleteFolder, { params: inFolder }), {
    action: 'folder.delete',
    target_label: 'Shore',
  });
});

test('releasing for a teammate leaves one row with the fan’s name; releasing your own claim leaves none', async () => {
  const other = await buildAdmin(app);
  const fan = { first_name: 'Ana', last_name: 'Duarte' };
  const theirs = await buildConversation(app, { claimedBy: other, fan });
  await expectOne(() => client.call(releaseConversation, { params: { id: theirs.id } }), {
    action: 'conversation.release_for_other',
    target_id: theirs.id,
    target_label: 'Ana Duarte',
    details: { claimed_by: other.id },
  });
  const own = await buildConversation(app, { claimedBy: manager.admin });
  const release = () => client.call(releaseConversation, { params: { id: own.id } });
  expect(await logged(release)).toEqual([]);
});

test('changing the creator’s picture leaves one row; uploading one leaves none', async () => {
  const creator = (await app.platform.call(getCreator)).body.data;
  const headers = { cookie: manager.avatarCookie };
  let avatarUrl = '';
  const upload = async () => {
    const body = buildForm({ userId: creator.id, avatar: { data: await buildPicture() } });
    const reply = await app.anonymous.raw('POST', uploadAvatar.path, { body, headers });
    avatarUrl = (JSON.parse(reply.text) as { avatar: { s3_key: string } }).avatar.s3_key;
  };
  expect(await logged(upload)).toEqual([]);
  const body = { userId: creator.id, avatarUrl };
  await expectOne(() => app.anonymous.raw('POST', updateAvatar.path, { body, headers }), {
    action: 'creator.update_avatar',
    target_id: creator.id,
    target_label: creator.display_name,
  });
});

test('an invitation leaves one row, which shows the invited address as long as it is stored', async () => {
  const email = `${unique('guest')}@fans.example`;
  const { details } = await expectOne(
    () => client.call(createInvites, { body: { emails: [email] } }),
    {
      action: 'invite.create',
      target_label: email,
    },
  );
  expect(JSON.stringify(details)).not.toContain(email);
});

test('a refused request leaves no row', async () => {
  const creator = await buildAdmin(app, { role: 'creator' });
  const attempts = async () => {
    await client.refused(removeAdmin, { params: { id: creator.id } });
    await client.refused(removeAdmin, { params: { id: manager.admin.id } });
    await client.refused(addAdmin, { body: { email: creator.email } });
    await client.refused(updateAdminCodename, {
      params: { id: manager.admin.id },
      body: { codename: creator.codename },
    });
    await client.refused(deleteFolder, { params: { id: crypto.randomUUID() } });
  };
  expect(await logged(attempts)).toEqual([]);
});
