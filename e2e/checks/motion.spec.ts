import type { Page } from '@playwright/test';
import { createFolder } from '@stagedoor/contract/selling/products';
import { buildConversation } from '../../apps/server/test/factories.ts';
import { action } from '../support/conversation.ts';
import { tagFan } from '../support/furnish.ts';
import { expect, type OpenOptions, test } from '../support/journey.ts';
import { bubble, button, composer } from '../support/screens.ts';

const MOVED = ['transform', 'translate', 'rotate', 'scale'];

/** Records, frame by frame, everything moved by an animation or transition. Call it before the page is opened. */
async function watchMotion(page: Page): Promise<void> {
  await page.addInitScript((moved) => {
    const seen = new Set<string>();
    Object.assign(window, { motionSeen: seen });
    const look = () => {
      for (const animation of document.getAnimations()) {
        const { effect } = animation;
        if (!(effect instanceof KeyframeEffect)) continue;
        const lasts = Number(effect.getComputedTiming().duration) > 0;
        const moves = effect.getKeyframes().some((frame) => moved.some((name) => name in frame));
        if (lasts && moves) seen.add(effect.target?.className ?? 'something');
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, MOVED);
}

const motionSeen = (page: Page) =>
  page.evaluate(() => [...(window as unknown as { motionSeen: Set<string> }).motionSeen]);

for (const motion of ['reduce', 'no-preference'] as const) {
  const isReduced = motion === 'reduce';
  test(
    isReduced
      ? '39: under reduced motion nothing is moved by an animation'
      : '39: without that wish, what opens does move, and what works turns',
    async ({ desk }) => {
      const { id, fan } = await buildConversation(desk);
      await tagFan(desk, fan.id, ['One', 'Two']);
      const staff = await desk.hire({ role: 'manager' });
      await staff.client.call(createFolder, { body: { name: 'Summer', description: null } });
      const options: OpenOptions = { motion, prepare: watchMotion, path: `/inbox/${id}` };
      const page = await desk.open(staff, options);
      await expect(bubble(page, 'Hello there')).toBeVisible();
      await page.getByRole('button', { name: 'Manage Tags' }).click();
      const grip = page.getByRole('button', { name: 'Reorder One' });
      await grip.focus();
      await page.keyboard.press('Space');
      await expect(
        page.getByRole('status').filter({ hasText: 'One is at position 1' }),
      ).toBeAttached();
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
      await page.keyboard.press('ArrowDown');
      await expect(
        page.getByRole('status').filter({ hasText: 'One is at position 2' }),
      ).toBeAttached();
      await page.keyboard.press('Space');
      await page.keyboard.press('Escape');
      await bubble(page, 'Hello there').hover();
      await action(page, 'Hello there', 'React').click();
      await expect(page.getByRole('group', { name: 'Reactions' })).toBeVisible();
      await page.keyboard.press('Escape');
      await button(page, 'Archive').click();
      await expect(page.getByText(/^Archived \S/)).toBeVisible();
      await button(page, 'Notes').click();
      await expect(page.getByRole('button', { name: 'Close Notes' })).toBeVisible();
      await composer(page).fill('A draft');
      expect((await motionSeen(page)).length === 0).toBe(isReduced);
      await page.goto('/console');
      await expect(page.getByRole('switch').first()).toBeVisible();
      await page.getByRole('switch').first().click();
      await page.goto('/products');
      await page.getByRole('button', { name: 'Manage Folders' }).click();
      await expect(page.getByRole('button', { name: 'Rename Summer' })).toBeVisible();
      const seen = await motionSeen(page);
      if (isReduced) expect(seen).toEqual([]);
      else expect(seen.length).toBeGreaterThan(0);
    },
  );
}
