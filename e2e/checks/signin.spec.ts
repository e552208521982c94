import type { Page } from '@playwright/test';
import { expect, test } from '../support/journey.ts';
import { holdCalls } from '../support/network.ts';
import { typeCode } from '../support/screens.ts';

const box = (page: Page, number: number) => page.getByLabel(`Digit ${number} of 6`);

async function toCodeStep(page: Page, address: string): Promise<void> {
  await page.getByLabel('Please enter your email').fill(address);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByText('Please enter your verification code')).toBeVisible();
}

/** Pastes into the focused element. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', pasted);
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(event);
  }, text);
}

test('17: pasting 12-34 56 fills the six boxes and submits once', async ({ desk }) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  await toCodeStep(page, staff.admin.email);
  const calls: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().includes('verify-otp')) calls.push(request.postDataJSON());
  });
  const letGo = await holdCalls(page, /verify-otp/);
  await paste(page, '12-34 56');
  for (const [index, digit] of [...'123456'].entries()) {
    await expect(box(page, index + 1)).toHaveValue(digit);
  }
  letGo();
  await expect(page.getByRole('alert')).toBeVisible();
  expect(calls).toEqual([{ email: staff.admin.email, code: '123456' }]);
});

test('18: a wrong code clears the boxes, focuses the first and shows the reason; the right one then signs in', async ({
  desk,
}) => {
  const staff = await desk.hire();
  const page = await desk.openSignedOut();
  await toCodeStep(page, staff.admin.email);
  const code = await desk.server.smtp.codeFor(staff.admin.email);
  await typeCode(page, code === '000000' ? '000001' : '000000');
  await expect(page.getByRole('alert')).toHaveText(/That code is wrong or no longer valid/);
  for (let number = 1; number <= 6; number++) await expect(box(page, number)).toHaveValue('');
  await expect(box(page, 1)).toBeFocused();
  await page.keyboard.type(code);
  await expect(page).toHaveURL(/\/inbox$/);
});
