import { expect } from '@playwright/test';
import type { Desk } from '../journey.ts';
import { typeCode } from '../screens.ts';
import type { Tour } from './stop.ts';

/** The page of signing in. */
export async function atSignIn(desk: Desk): Promise<Tour> {
  const { admin } = await desk.hire();
  return {
    staff: null,
    stops: [
      {
        name: 'the address',
        path: '/login',
        reach: (page) => page.getByLabel('Please enter your email').waitFor(),
      },
      {
        name: 'a code that could not be sent',
        path: '/login',
        reach: async (page) => {
          await page.route(/request-otp/, (route) => route.abort());
          await page.getByLabel('Please enter your email').fill(admin.email);
          await page.getByRole('button', { name: 'Continue' }).click();
          await expect(page.getByRole('alert')).toBeVisible();
          await page.unroute(/request-otp/);
        },
      },
      {
        name: 'a code that is wrong',
        path: '/login',
        reach: async (page) => {
          await page.getByLabel('Please enter your email').fill(admin.email);
          await page.getByRole('button', { name: 'Continue' }).click();
          await expect(page.getByLabel('Digit 1 of 6')).toBeVisible();
          const code = await desk.server.smtp.codeFor(admin.email);
          await typeCode(page, code === '000000' ? '000001' : '000000');
          await expect(page.getByRole('alert')).toBeVisible();
        },
      },
    ],
  };
}
