import type { Page } from '@playwright/test';

/** What a console's page shows of the inbox and of the open conversation, as a person would compare two of them. */
export interface Shown {
  tiles: string[];
  tabs: string[];
  rows: { id: string; says: string[]; claimant: string | null }[];
  messages: string[];
}

/** Reads it out of the page: fans in their order, with what their rows say, and the messages in theirs. */
export async function shownBy(page: Page): Promise<Shown> {
  // What lies under the pointer offers what can be done with it.
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

/** How often the messages of a page contain a text. */
export function timesIn({ messages }: Shown, text: string): number {
  return messages.filter((message) => message.includes(text)).length;
}
