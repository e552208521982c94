import type { Endpoint } from '@stagedoor/contract/endpoint';
import { endpoints } from '@stagedoor/contract/endpoints';
import { createInvites } from '@stagedoor/contract/fans/invites';
import { releaseConversation } from '@stagedoor/contract/inbox/conversations';
import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { createFolder, deleteProduct, updateProduct } from '@stagedoor/contract/selling/products';
import { addAdmin, removeAdmin, updateAdminRole } from '@stagedoor/contract/team/admins';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { buildAdmin, buildConversation, buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { buildProduct, productForm } from '../../../test/worlds/catalogue.ts';

const app = await sharedApp();

/** The audit actions of each endpoint that needs permission to manage. */
const ACTIONS: Readonly<Record<string, string | null>> = {
  createProduct: 'product.create',
  updateProduct: 'product.update',
  deleteProduct: 'product.delete',
  createFolder: 'folder.create',
  updateFolder: 'folder.update',
  deleteFolder: 'folder.delete',
  createSegment: 'segment.create',
  updateSegment: 'segment.update',
  deleteSegment: 'segment.delete',
  createShift: 'shift.create',
  updateShift: 'shift.update',
  deleteShift: 'shift.delete',
  grantTime: 'shift.grant_time',
  createCampaign: 'campaign.create',
  // The upload has no visible effect until a campaign uses it.
  uploadCampaignFiles: null,
  updateCampaign: 'campaign.update',
  // They change nothing.
  previewUnsavedCampaign: null,
  previewCampaign: null,
  startCampaign: 'campaign.start',
  pauseCampaign: 'campaign.pause',
  resumeCampaign: 'campaign.resume',
  cancelCampaign: 'campaign.cancel',
  unsendCampaign: 'campaign.unsend',
  addCommissionRule: 'earning_rule.create',
  // It changes nothing.
  tryCommissionRule: null,
  acceptContest: 'earning_contest.accept',
  rejectContest: 'earning_contest.reject',
  closePeriod: 'earning_period.close',
  addAdmin: 'admin.add',
  updateAdminPermissions: 'admin.update_permissions',
  updateAdminRole: 'admin.update_role',
  updateAdminCodename: 'admin.update_codename',
  updateAdminColor: 'admin.update_color',
  removeAdmin: 'admin.remove',
  // The upload has no visible effect until it is linked.
  uploadAvatar: null,
  updateAvatar: 'creator.update_avatar',
  updateCreator: 'creator.update_name',
  createPlatformKey: 'platform_key.create',
  revokePlatformKey: 'platform_key.revoke',
  setPasskeyRequirement: 'passkey.require',
  resetPasskeys: 'passkey.reset',
  updateGuardRails: 'guard_rails.update',
  testWebhook: 'webhook.test',
  redeliver: 'webhook.redeliver',
  updateSettings: 'settings.update',
  refundDoublePayment: 'payment.refund',
};

test('every change that needs permission to manage is audited', () => {
  const changes = Object.entries(endpoints as Record<string, Endpoint>)
    .filter(([, { permission, method }]) => permission === 'can_manage_admins' && method !== 'GET')
    .map(([name]) => name);
  expect(Object.keys(ACTIONS).toSorted()).toEqual(changes.toSorted());
});

/** Returns the contents of everything that such changes affect. */
async function stateOf(): Promise<string> {
  const { rows } = await sql<{ state: string }>`select (
    select string_agg(md5(t::text), '' order by md5(t::text)) from (
      select row_to_json(a)::text from admins a union all select row_to_json(p)::text from products p
      union all select row_to_json(f)::text from folders f union all select row_to_json(k)::text from platform_keys k
      union all select row_to_json(i)::text from invites i union all select row_to_json(c)::text from conversations c
    ) t) as state`.execute(app.db.kysely);
  return rows[0]?.state ?? '';
}

test('a change that can’t be audited is not made', async () => {
  const manager = await buildStaff(app, { role: 'manager' });
  const { client } = manager;
  const other = await buildAdmin(app, { role: 'moderator' });
  const product = await buildProduct(manager);
  const { id } = await buildConversation(app, { claimedBy: other });
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'the log is full'; end $$`.execute(
    app.db.kysely,
  );
  await sql`create trigger refused before insert on audit_log execute function refuse()`.execute(
    app.db.kysely,
  );
  const before = await stateOf();
  const acts: [Endpoint, { params?: { id: string }; body?: unknown }][] = [
    [addAdmin, { body: { email: 'new@staff.example' } }],
    [updateAdminRole, { params: other, body: { role: 'support' } }],
    [removeAdmin, { params: other }],
    [endpoints.createProduct, { body: await productForm() }],
    [updateProduct, { params: product, body: { title: 'Other' } }],
    [deleteProduct, { params: product }],
    [createFolder, { body: { name: 'Beach' } }],
    [createPlatformKey, { body: { name: 'Bot' } }],
    [createInvites, { body: { emails: ['new@fans.example'] } }],
    [releaseConversation, { params: { id } }],
  ];
  for (const [endpoint, input] of acts) {
    const { status } = await client.raw(
      endpoint.method,
      endpoint.path.replace('{id}', input.params?.id ?? ''),
      { body: input.body },
    );
    expect([200, 500], endpoint.path).toContain(status);
    if (status === 200) expect(endpoint).toBe(createInvites);
  }
  expect(await stateOf()).toBe(before);
});
