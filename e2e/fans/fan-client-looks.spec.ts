import { buildReply } from '../../apps/server/test/factories.ts';
import { buildOffer, buildProduct } from '../../apps/server/test/worlds/catalogue.ts';
import { accessibilityIssues } from '../support/accessibility-issues.ts';
import { messageField, openFan, shown } from '../support/fan-client.ts';
import { DESKTOP, expect, PHONE, test } from '../support/journey.ts';

for (const size of [DESKTOP, PHONE]) {
  test(`the fan client has no serious accessibility issues (${size.name})`, async ({ desk }) => {
    const { id, messages, page } = await openFan(desk, ['Hello there', '❤️'], size);
    const manager = await desk.hire({ role: 'manager' });
    const reply_to_message_id = messages[0]?.id ?? '';
    await buildReply(manager, id, { content: 'See https://example.com', reply_to_message_id });
    await buildOffer(manager, id, [await buildProduct(manager, { title: 'Sunset Set' })]);
    await expect(page.getByRole('button', { name: /^Unlock for/ })).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);

    await shown(page, 'See https').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Message' })).toBeVisible();
    expect(await accessibilityIssues(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(messageField(page)).toBeVisible();

    for (const path of ['/fan/welcome#invite=wrong', '/fan/?nobody']) {
      const other = await desk.openSignedOut({ ...size, path });
      await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await accessibilityIssues(other)).toEqual([]);
    }
  });
}
