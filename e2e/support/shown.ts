import type { Page } from '@playwright/test';

/** The visible state of the inbox and the open conversation, for comparing two pages. */
export interface Shown {
  tiles: string[];
  tabs: string[];
  rows: { id: string; says: string[]; claimant: string | null }[];
  messages: string[];
}

/** Reads the state from the page: the rows with their texts and the messages, in order. */
export async function shownBy(page: Page): Promise<Shown> {
  // Moves the pointer away, because a hovered row shows its actions.
  await page.mouse.move(0, 0);
  return page.evaluate(() => {
    const textOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
    const all = (within: ParentNode, selector: string) => [...within.querySelectorAll(selector)];
    const items = all(document, '[aria-label="Conversations"] li').map((item) => ({
      at: Number(item.getAttribute('aria-posinset')),
      link: item.querySelector('a'),
      says: all(item, '.said').map(textOf),
      claimant: item.querySelector('[title^="Claimed by"]')?.getAttribute('title') ?? null,
    }));
    return {
      tiles: all(document, 'dl dd').map(textOf),
      tabs: all(document, '[role="tab"]').map(textOf),
      rows: items
        .sort((a, b) => a.at - b.at)
        .map(({ link, says, claimant }) => ({ id: link?.dataset.row ?? '', says, claimant })),
      messages: all(document, '[role="log"] article').map((article) => {
        const marks = all(article, 'svg[aria-label]').map((mark) =>
          mark.getAttribute('aria-label'),
        );
        return [article.getAttribute('aria-label'), textOf(article), ...marks].join(' | ');
      }),
    };
  });
}

/** Returns how many of a page's messages contain a text. */
export function timesIn({ messages }: Shown, text: string): number {
  return messages.filter((message) => message.includes(text)).length;
}
