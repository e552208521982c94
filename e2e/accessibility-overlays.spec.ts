import type { Page } from '@playwright/test';
import { createStatement } from '@stagedoor/contract/fans/statements';
import { createGlobalTag } from '@stagedoor/contract/fans/tags';
import { claimConversation } from '@stagedoor/contract/inbox/conversations';
import { createTemplate } from '@stagedoor/contract/messaging/templates';
import { createPlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { contestEarning, listEarnings } from '@stagedoor/contract/selling/earnings';
import { createFolder } from '@stagedoor/contract/selling/products';
import { createSegment } from '@stagedoor/contract/selling/segments';
import { createShift } from '@stagedoor/contract/team/shifts';
import { sql } from 'kysely';
import { accessibilityIssues } from './support/accessibility-issues.ts';
import { type Desk, expect, PHONE, test } from './support/journey.ts';
import { composer, row, tab } from './support/screens.ts';
import { openShop } from './support/shop.ts';
import { leaveNote, note } from './support/staff-notes.ts';

const LAYER = 'dialog[open], [popover=auto]:popover-open';

type Open = (page: Page) => Promise<unknown>;

/** How to open an overlay, and a text that it shows once it has loaded. */
type Overlay = readonly [open: Open, text: string];

const click =
  (...names: readonly (string | RegExp)[]): Open =>
  async (page) => {
    for (const name of names)
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('menuitem', { name, exact: true }))
        .or(page.getByRole('tab', { name, exact: true }))
        .filter({ visible: true })
        .first()
        .click();
  };

/** Runs a command by its title in the command palette, and clicks what it shows. */
const command =
  (title: string, ...names: readonly string[]): Open =>
  async (page) => {
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Command Palette' });
    await palette.getByRole('combobox').fill(title);
    await palette.getByRole('option', { name: title }).first().click();
    await expect(palette).toBeHidden();
    await click(...names)(page);
  };

const selected =
  (name: string): Open =>
  async (page) => {
    const bar = page.getByRole('toolbar', { name: 'Selected conversations' });
    if (!(await bar.isVisible())) {
      await command('Select Conversations')(page);
      await page.getByRole('checkbox', { name: 'Select Ana' }).check();
    }
    await bar.getByRole('button', { name }).click();
  };

const statementMenu: Open = async (page) => {
  const statements = page.getByRole('tab', { name: 'Statements' });
  if (!(await statements.isVisible())) await click('Notes')(page);
  await statements.click();
  await click(/^Actions for: /)(page);
};

type Overlays = Readonly<Record<string, Overlay>>;

/** How to open each overlay that no other journey checks, by screen. */
const INBOX: Overlays = {
  settings: [click('Settings'), 'Density'],
  team: [click('Team'), 'You are off the clock'],
  more: [click('More'), 'Audit Log'],
  'tag filter': [click('Filter by Tag'), 'VIP'],
  'segment filter': [click('Filter by Segment'), 'Big spenders'],
  'save view': [click('Save View'), 'Save this list as'],
  'tag library': [command('Tags'), 'VIP'],
  'delete a tag': [command('Tags', 'Delete VIP'), 'Delete tag "VIP"?'],
  'delete a template': [command('Templates', 'Delete Greeting'), 'Delete template "Greeting"?'],
  'invitations to be discarded': [
    async (page) => {
      await command('Invite Users')(page);
      await page.getByLabel('Email addresses').fill('a@fans.example');
      await page.keyboard.press('Escape');
    },
    'Discard changes?',
  ],
  'assign many': [selected('Assign...'), 'Papaya'],
  'tag many': [selected('Add Tag'), 'VIP'],
  'snooze many': [selected('Snooze...'), 'Until they write'],
};

const CONVERSATION: Overlays = {
  'more actions': [click('More Actions'), 'Print'],
  print: [click('More Actions', 'Print'), 'ready to print'],
  assign: [click('More Actions', 'Assign...'), 'Papaya'],
  'take over': [click('More Actions', 'Take Over from Kiwi'), 'Take over from Kiwi?'],
  'manage tags': [click('Manage Tags'), 'VIP'],
  snooze: [command('Snooze...'), 'Until they write'],
  'attach menu': [click('Attach'), 'Record Voice'],
  'unusual price': [
    async (page) => {
      await click('Attach', 'Send Product')(page);
      const offer = page.getByRole('dialog', { name: 'Send Product' });
      await offer.getByRole('radio', { name: /Backstage/ }).check();
      await offer.getByLabel('Price in US dollars').fill('750');
      await page.keyboard.press('Enter');
    },
    'Usually $25.00',
  ],
  'note menu': [click('Note Actions'), 'Edit Note'],
  'delete a note': [click('Note Actions', 'Delete Note'), 'Delete this note?'],
  'sign out with a draft': [
    async (page) => {
      await composer(page).fill('A draft');
      await command('Sign Out')(page);
    },
    'Sign out?',
  ],
  'statement menu': [statementMenu, 'Remove'],
  'remove a statement': [
    async (page) => {
      await statementMenu(page);
      await click('Remove')(page);
    },
    'Remove this statement?',
  ],
};

const PAGES: Readonly<Record<string, Overlays>> = {
  '/products': {
    'product menu': [click('Actions for Sunset Set'), 'Deactivate'],
    'delete a product': [click('Actions for Sunset Set', 'Delete'), 'Are you sure'],
    'delete a folder': [click('Manage Folders', 'Delete Summer'), 'Are you sure'],
  },
  '/segments': {
    'delete a segment': [click('Delete Big spenders'), 'Delete segment "Big spenders"?'],
  },
  '/console': { 'remove an admin': [click(/^Remove .*@/), 'Remove Admin'] },
  '/console/security': {
    'require passkeys': [
      (page) => page.getByRole('switch', { name: 'Require Passkeys for Support' }).click(),
      'Require Passkeys for Support',
    ],
  },
  '/console/analytics': { 'export menu': [click('Export CSV'), 'By product'] },
  '/console/platform': { 'revoke a key': [click('Revoke Fan app'), 'Revoke “Fan app”?'] },
  '/shifts?week=2031-03-24': {
    'delete a shift': [click(/^Kiwi .*09:00/, 'Delete...'), 'Delete this shift?'],
  },
  '/earnings': {
    'contest a line': [click('Contest'), 'What is wrong?'],
    'answer a contest': [click('Team Earnings', 'Answer'), 'Another teammate'],
    'close a period': [click('Team Earnings', 'Close Period'), 'A closed period never changes'],
  },
};

/** Creates something of each kind that can be deleted, contested or closed. */
async function furnish(desk: Desk) {
  const { manager, kiwi, ana } = await openShop(desk);
  const { client } = manager;
  await sql`insert into earning_rules (role, percent_hundredths, hourly_cents, credit, effective_at, created_by)
    select role, 2000, 1200, 'sender', now() - interval '30 days', ${manager.admin.id} from unnest('{manager,support}'::text[]) role`.execute(
    desk.db.kysely,
  );
  // Sales may have been booked before there was a rule.
  await sql`insert into clocks (admin_id, started_at, last_act_at, ended_at, stopped_by)
    select id, now() - interval '1 hour', now(), now(), 'admin'
    from unnest(${[manager.admin.id, kiwi.admin.id]}::uuid[]) id`.execute(desk.db.kysely);
  await client.call(createGlobalTag, { body: { label: 'VIP' } });
  await client.call(createFolder, { body: { name: 'Summer', description: null } });
  await client.call(createPlatformKey, { body: { name: 'Fan app' } });
  await client.call(createTemplate, {
    body: { name: 'Greeting', content: 'Hi!', is_shared: true },
  });
  await client.call(createSegment, {
    body: { name: 'Big spenders', rule: { all: [{ field: 'purchases', op: 'gt', value: 0 }] } },
  });
  await client.call(createStatement, {
    params: { id: ana.id },
    body: { text: 'has a dog called Milo' },
  });
  await kiwi.client.call(claimConversation, { params: { id: ana.id }, body: {} });
  await leaveNote(manager, ana.id, 'Call her Ana');
  const [line] = (await kiwi.client.call(listEarnings)).body.data;
  await kiwi.client.call(contestEarning, {
    params: { line: line?.id ?? '' },
    body: { reason: 'It was mine' },
  });
  await client.call(createShift, {
    body: {
      admin_id: kiwi.admin.id,
      starts_at: '2031-03-24T09:00:00Z',
      ends_at: '2031-03-24T17:00:00Z',
      note: '',
    },
  });
  return { manager, ana };
}

const withoutPrinter = (page: Page) =>
  page.addInitScript(() => Object.assign(window, { print: () => undefined }));

/** Closes one layer at a time: an Escape too many would go back to the list. */
async function closeAll(page: Page): Promise<void> {
  const layers = page.locator(LAYER);
  const discard = layers.last().getByRole('button', { name: 'Discard' });
  while ((await layers.count()) > 0) {
    const open = await layers.allTextContents();
    if (await discard.isVisible()) await discard.click();
    else await page.keyboard.press('Escape');
    await expect.poll(() => layers.allTextContents()).not.toEqual(open);
  }
}

/** Returns the serious issues within each overlay of a screen. */
async function issuesOf(page: Page, overlays: Overlays): Promise<string[]> {
  const found: string[] = [];
  for (const [name, [open, text]] of Object.entries(overlays)) {
    await open(page);
    await expect(page.locator(LAYER).last(), name).toContainText(text);
    for (const issue of await accessibilityIssues(page, LAYER)) found.push(`${name}: ${issue}`);
    await closeAll(page);
  }
  return found;
}

const title = (place: string) =>
  `no dialog, menu or popover of ${place} has serious accessibility issues`;

test(title('the inbox'), async ({ desk }) => {
  const { manager } = await furnish(desk);
  const page = await desk.open(manager, PHONE);
  await tab(page, 'All').click();
  await expect(row(page, 'Ana')).toBeVisible();
  expect(await issuesOf(page, INBOX)).toEqual([]);
});

test(title('a conversation'), async ({ desk }) => {
  const { manager, ana } = await furnish(desk);
  const path = `/inbox/${ana.id}`;
  const page = await desk.open(manager, { ...PHONE, path, prepare: withoutPrinter });
  await expect(note(page, 'Call her Ana')).toBeVisible();
  expect(await issuesOf(page, CONVERSATION)).toEqual([]);
});

test(title('other pages'), async ({ desk }) => {
  const { manager } = await furnish(desk);
  const page = await desk.open(manager, PHONE);
  const found: string[] = [];
  for (const [path, overlays] of Object.entries(PAGES)) {
    await page.goto(path);
    found.push(...(await issuesOf(page, overlays)));
  }
  expect(found).toEqual([]);
});
