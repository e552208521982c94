import { putSubscription } from '@stagedoor/contract/platform/platform';
import { createPlatformKey, revokePlatformKey } from '@stagedoor/contract/platform/platform-keys';
import {
  buildAdmin,
  buildConversation,
  buildFan,
  buildReply,
} from '../apps/server/test/factories.ts';
import { buildPicture } from '../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from './support/accessibility-issues.ts';
import { DESKTOP, type Desk, expect, PHONE, test } from './support/journey.ts';
import { bubble, composer, row, searchBox, tab } from './support/screens.ts';

/** Creates an inbox with every kind of row, and a conversation with every kind of message. */
async function furnish(desk: Desk): Promise<{ id: string }> {
  const teammate = await desk.hire({ display_color: '#B4235A' });
  const colors = ['#FF5733', '#FFFF00', '#000000', '#FFFFFF'];
  const rich = await buildConversation(desk, {
    fan: { first_name: 'Ana', username: 'ana', timezone: 'Europe/Lisbon' },
    messages: ['Hello there', 'See https://example.com'],
    claimedBy: teammate.admin,
  });
  await desk.db.kysely
    .insertInto('fan_tags')
    .values(
      colors.map((color, position) => ({
        fan_id: rich.fan.id,
        position,
        label: `Tag ${position}`,
        color,
        global_tag_id: null,
      })),
    )
    .execute();
  await buildReply(teammate, rich.id, {
    content: 'A quoted answer',
    reply_to_message_id: rich.messages[0]?.id ?? '',
  });
  const socket = {
    message_id: rich.messages[0]?.id ?? '',
    user_id: teammate.admin.id,
    emoji: '🔥',
  };
  await desk.db.kysely.insertInto('reactions').values(socket).execute();
  const flagged = await buildConversation(desk, { fan: { first_name: 'Ben' }, status: 'flagged' });
  for (const [{ fan }, status, hours] of [
    [rich, 'trial', 1],
    [flagged, 'subscribed', 70],
  ] as const) {
    await desk.platform.call(putSubscription, {
      params: { fan: fan.external_id },
      body: { status, ends_at: new Date(Date.now() + hours * 3_600_000).toISOString() },
    });
  }
  await buildConversation(desk, { fan: { first_name: 'Cleo' }, status: 'archived' });
  await buildFan(desk, { first_name: null, username: null });
  return rich;
}

for (const size of [DESKTOP, PHONE]) {
  test(`the sign-in has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const page = await desk.openSignedOut(size);
    await expect(page.getByLabel('Please enter your email')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.route(/request-otp/, (route) => route.abort());
    await page.getByLabel('Please enter your email').fill('someone@staff.example');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('alert')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.unroute(/request-otp/);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByLabel('Digit 1 of 6')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });

  test(`the inbox has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const page = await desk.open(await desk.hire({ role: 'manager' }), size);
    await expect(page.getByText('No conversations yet')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await furnish(desk);
    await tab(page, 'All').click();
    await expect(row(page, 'Ana')).toBeVisible();
    await expect(row(page, 'Ben')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await searchBox(page).fill('hello');
    await expect(row(page, 'Ana')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });

  test(`a conversation has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const { id } = await furnish(desk);
    const page = await desk.open(await desk.hire(), { ...size, path: `/inbox/${id}` });
    await expect(bubble(page, 'A quoted answer')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await composer(page).fill('A draft');
    if (size === DESKTOP) {
      await bubble(page, 'Hello there').first().hover();
      await bubble(page, 'Hello there')
        .first()
        .getByRole('button', { name: 'React', exact: true })
        .click();
      await expect(page.getByRole('dialog')).toBeVisible();
    }
    expect(await accessibilityIssues(page)).toEqual([]);
  });

  test(`the console has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    for (const role of ['support', 'moderator', 'manager'] as const)
      await buildAdmin(desk, { role });
    await buildAdmin(desk, { is_active: false, email: 'gone@staff.example', role: 'manager' });
    const staff = await desk.hire({ role: 'creator', email: 'boss@staff.example' });
    const page = await desk.open(staff, { ...size, path: '/console' });
    await expect(page.getByText('gone@staff.example')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    const name = 'portrait.png';
    const portrait = { name, mimeType: 'image/png', buffer: await buildPicture() };
    await page.locator('input[type=file]').first().setInputFiles(portrait);
    await page.getByRole('button', { name: 'Add Admin' }).click();
    await page.route('**/permissions', (route) => route.abort());
    await page.getByRole('switch').first().click();
    await expect(page.getByText('Failed to update permissions')).toBeVisible();
    await expect(page.getByText('Email is required')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'Edit boss@staff.example' }).click();
    await expect(page.getByRole('list', { name: 'Suggested codenames' })).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });

  test(`the audit log and the platform page have no serious accessibility issues (${size.name})`, async ({
    desk,
  }) => {
    const staff = await desk.hire({ role: 'manager' });
    const { client } = staff;
    await client.call(createPlatformKey, { body: { name: 'Fan app' } });
    const { body } = await client.call(createPlatformKey, { body: { name: 'Old site' } });
    await client.call(revokePlatformKey, { params: { id: body.data.id } });
    const page = await desk.open(staff, { ...size, path: '/console/audit' });
    await expect(page.getByText('created the platform key “Fan app”')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.goto('/console/platform');
    await page.getByRole('button', { name: 'Show Revoked Keys (1)' }).click();
    await expect(page.getByText('No address set')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByRole('button', { name: 'New Key' }).click();
    await page.getByRole('button', { name: 'Create Key' }).click();
    await expect(page.getByText('Enter a name')).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.getByLabel('Name').fill('Bot');
    await page.getByRole('button', { name: 'Create Key' }).click();
    await expect(page.getByLabel('Platform key', { exact: true })).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
  });
}
