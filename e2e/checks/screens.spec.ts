import { buildConversation } from '../../apps/server/test/factories.ts';
import { faintParts, faintWhileDisabled, faintWhileHovered } from '../support/contrast.ts';
import { DESKTOP, expect, type OpenOptions, PHONE, test } from '../support/journey.ts';
import { obstacles } from '../support/obstacles.ts';
import { TOURS, takeTour } from '../support/tours/tour.ts';

const THEMES = ['light', 'dark'] as const;
/** Colours are the same at all widths. */
const LOOKS: readonly [name: string, options: OpenOptions][] = [
  ['light, on a desktop', { ...DESKTOP, theme: 'light' }],
  ['dark, on a desktop', { ...DESKTOP, theme: 'dark' }],
  ['light, on a phone', { ...PHONE, theme: 'light' }],
];

for (const [where, prepare] of Object.entries(TOURS)) {
  // A tour goes through a dozen states of its screens.
  test.describe(where, () => {
    test.slow();

    test(`2: at 390 px nothing scrolls sideways: ${where}`, async ({ desk }) => {
      await takeTour(desk, prepare, PHONE, async (page) => {
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
          .toBeLessThanOrEqual(PHONE.width);
      });
    });

    for (const [look, options] of LOOKS) {
      test(`5: axe finds nothing serious: ${where}, ${look}`, async ({ desk }) => {
        await takeTour(desk, prepare, options, async (page) => {
          expect(await obstacles(page)).toEqual([]);
        });
      });
    }

    for (const theme of THEMES) {
      test(`6: texts have 4.5:1 and borders of controls 3:1, also hovered or disabled: ${where}, ${theme}`, async ({
        desk,
      }) => {
        await takeTour(desk, prepare, { theme }, async (page) => {
          expect(await faintParts(page)).toEqual([]);
          expect(await faintWhileHovered(page), 'hovered').toEqual([]);
          expect(await faintWhileDisabled(page), 'disabled').toEqual([]);
        });
      });
    }
  });
}

test('2: at 390 px nothing scrolls sideways, whatever names and texts there are, and where one may not go', async ({
  desk,
}) => {
  const { id } = await buildConversation(desk, {
    fan: { first_name: 'Ana'.repeat(40), last_name: 'x'.repeat(60), username: 'y'.repeat(60) },
    messages: ['Long '.repeat(100), 'x'.repeat(500)],
  });
  const page = await desk.open(await desk.hire(), PHONE);
  for (const path of ['/inbox', `/messages/${id}`, '/console', '/products']) {
    await page.goto(path);
    await expect(
      page.getByText(/Fan Messages|Access Denied|You do not have permission|Ana/).first(),
    ).toBeAttached();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(PHONE.width);
  }
});
