import type { Page } from '@playwright/test';

/**
 * Returns what is wrong with the focus: nothing is focused, or the element is out of view or has no visible ring. Null if a
 * keyboard user can see what the next key acts on.
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
    // The ring may be drawn around the control itself, a part of it, or the field that contains it.
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

/** Returns whether the focus stays in a modal dialog, or on the browser's own controls. */
export function isFocusHeld(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { activeElement, body } = document;
    return activeElement === body || activeElement?.closest('dialog[open]') !== null;
  });
}
