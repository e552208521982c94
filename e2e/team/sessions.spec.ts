import type { Page } from '@playwright/test';
import { currentAdmin } from '@stagedoor/contract/team/auth';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { type Desk, expect, PHONE, test } from '../support/journey.ts';
import { gate } from '../support/network.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sessions' });
const rows = (page: Page) => dialog(page).getByRole('listitem');

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
];

/** Creates an admin who is signed in on several devices, with an API client for each session. */
async function arrange(desk: Desk) {
  const staff = await desk.hire();
  const ofStaff = (name: string) =>
    desk.db.kysely
      .updateTable('sessions')
      .set({ user_agent: name })
      .where('admin_id', '=', staff.admin.id)
      .where('user_agent', 'is', null)
      .execute();
  await ofStaff('here');
  const devices = [];
  for (const agent of AGENTS) {
    devices.push(desk.staff(await desk.insertSession(staff.admin.id)));
    await ofStaff(agent);
  }
  return { staff, devices };
}

async function openSessions(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Sessions...' }).click();
  await expect(dialog(page)).toBeVisible();
}

test('an admin sees where they are signed in, and ends other sessions', async ({ desk }) => {
  const { staff, devices } = await arrange(desk);
  const page = await desk.open(staff);
  await openSessions(page);
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).filter({ hasText: 'This session' })).toHaveCount(1);
  await expect(rows(page).filter({ hasText: 'Firefox on Linux' })).toContainText(
    'Last used: Just now',
  );
  await page.getByRole('button', { name: 'End Safari on iPhone' }).click();
  await expect(rows(page)).toHaveCount(3);
  await devices[0]?.refused(currentAdmin);
  await devices[1]?.call(currentAdmin);
  await page.getByRole('button', { name: 'End All Others' }).click();
  await expect(rows(page)).toHaveText([/This session/]);
  await devices[1]?.refused(currentAdmin);
  await devices[2]?.refused(currentAdmin);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Settings' })).toBeFocused();
});

test('a session that fails to end stays in the list, with an error', async ({ desk }) => {
  const { staff } = await arrange(desk);
  const page = await desk.open(staff, PHONE);
  await openSessions(page);
  expect(await accessibilityIssues(page)).toEqual([]);
  await page.route('**/api/auth/admin/sessions/*', (route) => route.abort());
  await page.getByRole('button', { name: 'End Edge on Windows' }).click();
  await expect(dialog(page).getByRole('alert')).toHaveText('Couldn’t end the session');
  await expect(rows(page)).toHaveCount(4);
});

test('sessions that are ended while another is being ended end too, and an error stays visible', async ({
  desk,
}) => {
  const { staff, devices } = await arrange(desk);
  const page = await desk.open(staff);
  await openSessions(page);
  const { held, letGo } = gate();
  let calls = 0;
  await page.route('**/api/auth/admin/sessions/*', async (route) => {
    calls += 1;
    const fails = calls === 1;
    await held;
    await (fails ? route.abort() : route.continue());
  });
  await page.getByRole('button', { name: 'End Safari on iPhone' }).click();
  await page.getByRole('button', { name: 'End Firefox on Linux' }).click();
  await page.getByRole('button', { name: 'End Edge on Windows' }).click();
  letGo();
  await expect(rows(page)).toHaveText([/Safari on iPhone/, /This session/]);
  await expect(dialog(page).getByRole('alert')).toHaveText('Couldn’t end the session');
  await devices[0]?.call(currentAdmin);
  await devices[1]?.refused(currentAdmin);
});
