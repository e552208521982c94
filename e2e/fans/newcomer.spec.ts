import { inviteToken, messageField, write } from '../support/fan-client.ts';
import { expect, openPage, PHONE, test } from '../support/journey.ts';
import { bubble, openSendProduct, reply, row, signIn } from '../support/screens.ts';
import { OWNER_EMAIL, startServer } from '../support/server.ts';

test('on a new installation the owner invites themselves, joins as a fan, and unlocks a picture with the test card', async ({
  browser,
}) => {
  const server = await startServer({ env: { SAMPLE_DATA: 'on' } });
  try {
    const staff = await openPage(browser, server.url, {}, {});
    await signIn(staff, OWNER_EMAIL, server.smtp);
    await staff.getByRole('button', { name: 'Invite Users' }).click();
    await staff.getByLabel('Email addresses').fill('me@fans.example');
    await staff.getByRole('button', { name: 'Send Invites' }).click();
    await expect(staff.getByText('1 invitation sent')).toBeVisible();
    await staff.keyboard.press('Escape');
    const path = `/invite/${await inviteToken(server.smtp, 'me@fans.example')}`;

    const phone = await openPage(browser, server.url, { ...PHONE, path }, {});
    await phone.getByLabel('Your name').fill('Newcomer');
    await phone.getByRole('button', { name: 'Join' }).click();
    await expect(messageField(phone)).toBeVisible();
    await write(phone, 'Hi! I just joined');

    await row(staff, 'Newcomer').click();
    await expect(bubble(staff, 'Hi! I just joined')).toBeVisible();
    await reply(staff, 'Here is something for you');
    const dialog = await openSendProduct(staff);
    await dialog.getByRole('radio').first().check();
    await dialog.getByRole('button', { name: /^Send for / }).click();

    await phone.getByRole('button', { name: /^Unlock for / }).click();
    const sheet = phone.getByRole('dialog');
    await sheet.getByLabel('Card number').fill('4000 0000 0000 0002');
    await sheet.getByRole('button', { name: /^Pay / }).click();
    await expect(sheet.getByText('The card was declined. Try another one.')).toBeVisible();
    await sheet.getByLabel('Card number').fill('4242 4242 4242 4242');
    await sheet.getByRole('button', { name: /^Pay / }).click();
    await expect(phone.getByText('Unlocked', { exact: true })).toBeVisible();
    await expect(phone.getByRole('button', { name: /^Unlock for / })).toHaveCount(0);
    await expect(staff.getByRole('log').getByText('Purchased')).toBeVisible();
    for (const page of [staff, phone]) await page.context().close();
  } finally {
    await server.dispose();
  }
});
