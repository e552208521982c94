import type { Page } from '@playwright/test';

/** CSS pixels that a target must have in both directions, or around its middle. */
const TARGET_MIN = 24;

/** Targets of pointers that are too small and too close to others, each as a sentence (WCAG 2.5.8). */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const selector =
      'a[href], button, input, select, textarea, [role="tab"], [role="menuitem"], [role="switch"]';
    const places = [...document.querySelectorAll(selector)].flatMap((target) => {
      const area = target.closest('label') ?? target;
      const box = area.getBoundingClientRect();
      const x = box.x + box.width / 2;
      const y = box.y + box.height / 2;
      const top = document.elementFromPoint(x, y);
      // What is out of view, or below something else, can't be pressed.
      if (!top || !(area.contains(top) || top.contains(area))) return [];
      const isInText = getComputedStyle(target).display === 'inline' && target.matches('a');
      return isInText
        ? []
        : [{ target, box, x, y, isSmall: box.width < least || box.height < least }];
    });
    const reach = least / 2;
    return places
      .filter(({ isSmall }) => isSmall)
      .filter(({ target, x, y }) =>
        places.some((other) => {
          if (
            other.target === target ||
            (other.target.closest('label') === target.closest('label') && target.closest('label'))
          )
            return false;
          if (other.target.contains(target) || target.contains(other.target)) return false;
          if (other.isSmall) return Math.hypot(other.x - x, other.y - y) < least;
          const right = Math.max(other.box.left - x, 0, x - other.box.right);
          const down = Math.max(other.box.top - y, 0, y - other.box.bottom);
          return Math.hypot(right, down) < reach;
        }),
      )
      .map(({ target, box }) => `${box.width}×${box.height}: ${target.outerHTML.slice(0, 160)}`);
  }, TARGET_MIN);
}

/** What has the focus and can't be seen, as a sentence; null where at least a part of it can (WCAG 2.4.11). */
export function hiddenFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return null;
    const isTiny = focused.getBoundingClientRect().width <= 1;
    const shown = (isTiny ? focused.closest('label') : null) ?? focused;
    const { left, top, width, height } = shown.getBoundingClientRect();
    const at = (right: number, down: number) => {
      const hit = document.elementFromPoint(left + width * right, top + height * down);
      return hit !== null && (shown.contains(hit) || (hit.contains(shown) && isTiny));
    };
    const isSeen = [0.1, 0.5, 0.9].some((right) => [0.1, 0.5, 0.9].some((down) => at(right, down)));
    return isSeen ? null : `${Math.round(top)}: ${shown.outerHTML.slice(0, 160)}`;
  });
}

/** Spaces texts as far apart as people may need it (WCAG 1.4.12). */
export async function spaceTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-bottom: 2em !important }`,
    );
    document.adoptedStyleSheets = [sheet];
  });
}

/** Texts of controls and rows that stick out of them or are cut, each as a sentence. */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const cut: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const box = text.parentElement?.closest('button, label, [role="tab"], a, th, dt, dd');
      if (!box || text.textContent?.trim() === '' || !box.checkVisibility()) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      const shown = range.getBoundingClientRect();
      const outer = box.getBoundingClientRect();
      const isForEar = shown.width <= 1 || (text.parentElement?.clientWidth ?? 0) <= 1;
      if (isForEar || outer.width <= 1) continue;
      // A name that ends in dots has its whole text elsewhere.
      let isShortened = false;
      for (let at = text.parentElement; at && at !== box.parentElement; at = at.parentElement)
        if (getComputedStyle(at).textOverflow === 'ellipsis') isShortened = true;
      const isWide = !isShortened && (shown.right > outer.right + 1 || shown.left < outer.left - 1);
      const isHigh = shown.bottom > outer.bottom + 2 || shown.top < outer.top - 2;
      if (isWide || isHigh) cut.push(`${text.textContent?.trim()}: ${box.outerHTML.slice(0, 120)}`);
    }
    return cut;
  });
}
