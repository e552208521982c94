import type { Page } from '@playwright/test';

/**
 * What is wrong with where the focus is: it is nowhere, out of view, or shown by nothing. Null where someone who has only
 * the keyboard sees what the next key acts on.
 */
export function focusProblem(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return 'nothing has the focus';
    const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent?.slice(0, 40)}`;
    const { top, left, bottom, right, width, height } = focused.getBoundingClientRect();
    const isOutside =
      bottom <= 0 || right <= 0 || top >= window.innerHeight || left >= window.innerWidth;
    if (width === 0 || height === 0 || isOutside) return `out of view: ${name}`;
    // A ring is drawn around the control itself, around what it stands for within it, or around the field that it fills.
    const around = [focused.parentElement, focused.parentElement?.parentElement];
    const isRinged = (element: Element | null | undefined) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    };
    const isField = (element: Element | null | undefined) =>
      element?.matches('[class*="focus-within:"]') &&
      getComputedStyle(element).boxShadow !== 'none';
    const isShown =
      isRinged(focused) ||
      [...focused.querySelectorAll('*')].some(isRinged) ||
      around.some((element) => isRinged(element) || isField(element));
    return isShown ? null : `not shown: ${name}`;
  });
}

/** Whether the focus is where a modal dialog may have it: in it, or at the browser's own controls. */
export function isFocusHeld(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { activeElement, body } = document;
    return activeElement === body || activeElement?.closest('dialog[open]') !== null;
  });
}
