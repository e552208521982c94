import { type Page, test } from '@playwright/test';
import type { Desk, OpenOptions } from '../journey.ts';
import { atCatalogue } from './catalogue.ts';
import { atConsole } from './console.ts';
import { atConversation } from './conversation.ts';
import { atInbox } from './inbox.ts';
import { atSignIn } from './sign-in.ts';
import type { Tour } from './stop.ts';

/** All that staff can meet, by where it is. */
export const TOURS: Readonly<Record<string, (desk: Desk) => Promise<Tour>>> = {
  'signing in': atSignIn,
  'the inbox': atInbox,
  'a conversation': atConversation,
  'the console': atConsole,
  'the catalogue': atCatalogue,
};

/** Looks at every stop of a tour. */
export async function takeTour(
  desk: Desk,
  prepare: (desk: Desk) => Promise<Tour>,
  options: OpenOptions,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const { staff, stops } = await prepare(desk);
  const page = await (staff ? desk.open(staff, options) : desk.openSignedOut(options));
  for (const { name, path, reach } of stops) {
    await test.step(name, async () => {
      await page.goto(path);
      await reach(page);
      await look(page);
    });
  }
}
