import type { Page } from '@playwright/test';
import { getCreatorProfile } from '@stagedoor/contract/creator';
import sharp from 'sharp';
import { nearlyThrough, ownClock, stopClock, through } from './support/clock.ts';
import { type Desk, expect, type OpenOptions, test } from './support/journey.ts';

const AVATAR_SECRET = 'the-picture-cookie-of-a-sign-in';
const card = (page: Page) => page.getByRole('region', { name: 'Profile Picture' });
const button = (page: Page, name: string) => card(page).getByRole('button', { name });
const portrait = (page: Page) => card(page).getByRole('img');

/** The console in a browser that keeps what a sign-in leaves there for the two calls of the picture. */
async function openConsole(desk: Desk, options: OpenOptions = {}): Promise<Page> {
  const staff = await desk.hire({ role: 'manager' });
  const token = await desk.insertSession(staff.admin.id, AVATAR_SECRET);
  const cookie = { name: 'stagedoor_avatar', value: AVATAR_SECRET, url: desk.url };
  return desk.open(
    { ...staff, token },
    {
      path: '/console',
      ...options,
      prepare: async (page) => {
        await page.context().addCookies([cookie]);
        await ownClock(page);
      },
    },
  );
}

/** A picture that is red on its left and blue on its right. */
const twoColors = () =>
  sharp({ create: { width: 400, height: 400, channels: 3, background: '#ff0000' } })
    .composite([
      {
        input: { create: { width: 400, height: 400, channels: 3, background: '#0000ff' } },
        left: 400,
        top: 0,
      },
    ])
    .png()
    .toBuffer();

async function choose(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  await card(page).locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
}
