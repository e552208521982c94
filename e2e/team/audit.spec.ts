import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { createFolder } from '@stagedoor/contract/selling/products';
import { addAdmin, removeAdmin, updateAdminRole } from '@stagedoor/contract/team/admins';
import type { Staff } from '../../apps/server/test/factories.ts';
import { type Desk, expect, test } from '../support/journey.ts';
import { failing } from '../support/network.ts';

const entries = (page: Page) => page.getByRole('region', { name: 'Entries' }).getByRole('listitem');

async function furnish(desk: Desk): Promise<{ mango: Staff; plum: Staff }> {
  const mango = await desk.hire({ role: 'creator', codename: 'Mango' });
  const plum = await desk.hire({ role: 'manager', codename: 'Plum' });
  const { body } = await mango.client.call(addAdmin, {
    body: { email: 'kiwi@staff.example', role: 'support' },
  });
  const params = { id: body.data.id };
  await desk.db.kysely
    .updateTable('admins')
    .set({ codename: 'Kiwi Two' })
    .where('id', '=', params.id)
    .execute();
  await plum.client.call(updateAdminRole, { params, body: { role: 'moderator' } });
  await plum.client.call(createFolder, { body: { name: 'Summer', description: null } });
  await mango.client.call(removeAdmin, { params });
  return { mango, plum };
}

test('the log describes actions in sentences, and can be filtered by admin, action and date', async ({
  desk,
}) => {
  const { mango, plum } = await furnish(desk);
  const page = await desk.open(mango, { path: '/console' });
  await page.getByRole('link', { name: 'Audit Log' }).click();
  await expect(page).toHaveURL(/\/console\/audit$/);
  const all = [
    /Mango removed Kiwi Two \(kiwi@staff\.example\)$/,
    /Plum created the folder “Summer”$/,
    /Plum changed the role of Kiwi Two \(kiwi@staff\.example\) from support to moderator$/,
    /Mango added Kiwi Two \(kiwi@staff\.example\) as support$/,
  ];
  await expect(entries(page).first()).toHaveText(all[0] ?? '');
  const clear = page.getByRole('button', { name: 'Clear Filters' });
  await expect(clear).toHaveCount(0);
  await page.getByLabel('Admin').selectOption(plum.admin.id);
  await expect(entries(page)).toHaveText(all.slice(1, 3));
  await page.getByLabel('Action').selectOption('Folder created');
  await expect(entries(page)).toHaveText(all.slice(1, 2));
  await page.getByRole('textbox', { name: 'To' }).fill('01/01/2001');
  await expect(page.getByText('No entries match these filters.')).toBeVisible();
  await clear.click();
  await expect(page.getByLabel('Admin')).toBeFocused();
  await page.getByLabel('Admin').selectOption(mango.admin.id);
  await expect(entries(page)).toHaveText([all[0] ?? '', all[3] ?? '']);
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await expect(page).toHaveURL(/\/console$/);
});

test('the filtered log is exported as a file', async ({ desk }) => {
  const { plum } = await furnish(desk);
  const page = await desk.open(plum, { path: '/console/audit' });
  await page.getByLabel('Action').selectOption('Folder created');
  await expect(entries(page)).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
  const text = await readFile(await download.path(), 'utf8');
  // The byte order mark, without which spreadsheets misread UTF-8.
  expect(text).toMatch(/^\uFEFF/);
  const lines = text.trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Summer');
});

test('older entries load while scrolling', async ({ desk }) => {
  const staff = await desk.hire({ role: 'manager' });
  await desk.db.kysely
    .insertInto('audit_log')
    .values(
      Array.from({ length: 120 }, (_, index) => ({
        admin_id: staff.admin.id,
        action: 'folder.delete',
        target_id: staff.admin.id,
        details: JSON.stringify({ name: `Folder ${index}` }),
      })),
    )
    .execute();
  const page = await desk.open(staff, { path: '/console/audit', height: 600 });
  const shown = entries(page).filter({ hasText: 'deleted the folder' });
  await expect(shown).toHaveCount(50);
  for (const count of [100, 120]) {
    await shown.last().scrollIntoViewIfNeeded();
    await expect(shown).toHaveCount(count);
  }
});

test('a log that fails to load says so, and can be retried', async ({ desk }) => {
  const { mango } = await furnish(desk);
  const path = /\/api\/admin\/audit(\?|$)/;
  const page = await desk.open(mango, {
    path: '/console/audit',
    prepare: failing(path, 404),
  });
  await expect(page.getByRole('alert')).toContainText('Couldn’t load the audit log');
  await page.unroute(path);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(entries(page).first()).toContainText('Mango removed');
});
