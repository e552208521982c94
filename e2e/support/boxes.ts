import type { Page } from '@playwright/test';

/** Returns the layout problems: sideways scrolling, cut-off text, and controls that overlap or can't be scrolled to. */
export async function boxProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, [role=tab]';
    /** The largest difference that can come from rounding, in CSS pixels. */
    const SLACK = 1.5;
    const nameOf = (element: Element) =>
      `${element.tagName} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}”`;
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);

    /** Returns the part of an element that no ancestor clips; null if all of it is clipped. */
    function shownBox(element: Element): DOMRect | null {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue;
        const box = at.getBoundingClientRect();
        left = Math.max(left, box.left);
        top = Math.max(top, box.top);
        right = Math.min(right, box.right);
        bottom = Math.min(bottom, box.bottom);
      }
      const isShown = right - left > 2 && bottom - top > 2;
      return isShown ? new DOMRect(left, top, right - left, bottom - top) : null;
    }
    const isSeen = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('[inert], [aria-hidden="true"]') === null;

    /** Returns whether a text is wider than its element, unless the element scrolls or ends in an ellipsis. */
    function isCut(element: Element): boolean {
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      // Texts for screen readers are invisible.
      if (texts.length === 0 || !isSeen(element) || shownBox(element) === null) return false;
      for (let at: Element | null = element; at !== null; at = at.parentElement) {
        const { textOverflow, webkitLineClamp } = getComputedStyle(at);
        if (textOverflow === 'ellipsis' || webkitLineClamp !== 'none' || scrolls(at)) return false;
        if (at.matches(`${CONTROLS}, h1, h2, h3, dt, dd, th, td, p, label, li`)) {
          // Spaces at the end of a line may overflow.
          if (getComputedStyle(element).whiteSpaceCollapse === 'preserve')
            return element.scrollWidth > element.clientWidth;
          const room = at.getBoundingClientRect();
          return texts.some((text) => {
            const range = document.createRange();
            range.selectNode(text);
            const { left, right } = range.getBoundingClientRect();
            return left < room.left - SLACK || right > room.right + SLACK;
          });
        }
      }
      return false;
    }

    /** Returns whether a control can't be scrolled into the window, not even partly. */
    function isUnreachable(element: Element): boolean {
      // An input one pixel wide is hidden; its label is shown instead.
      if (!isSeen(element) || element.clientWidth <= 1) return false;
      let box: Omit<DOMRect, 'toJSON'> = element.getBoundingClientRect();
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(at);
        const clip = at === document.documentElement ? view : at.getBoundingClientRect();
        const isLayer = at === document.documentElement || at.matches('dialog, [popover]');
        const cut = (overflow: string) => isLayer || overflow !== 'visible';
        const isOutX = box.right <= clip.left + 2 || box.left >= clip.right - 2;
        const isOutY = box.bottom <= clip.top + 2 || box.top >= clip.bottom - 2;
        if (isOutX && cut(overflowX) && !/auto|scroll/.test(overflowX)) return true;
        if (isOutY && cut(overflowY) && !/auto|scroll/.test(overflowY)) return true;
        // The control can be scrolled into this ancestor, so from here on the ancestor must be reachable.
        if ((isOutX && cut(overflowX)) || (isOutY && cut(overflowY))) box = clip;
        if (position === 'fixed') at = document.body;
      }
      return false;
    }

    const problems: string[] = [];
    const view = new DOMRect(0, 0, window.innerWidth, window.innerHeight);
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > window.innerWidth) problems.push(`scrolls sideways: ${scrollWidth} px`);
    for (const element of document.body.querySelectorAll('*'))
      if (isCut(element)) problems.push(`cut off: ${nameOf(element)}`);

    // Overlays cover the page on purpose: only the controls of the topmost layer are compared.
    const layers = document.querySelectorAll('dialog[open], :popover-open');
    const layer = [...layers].at(-1) ?? document.body;
    for (const element of layer.querySelectorAll(CONTROLS))
      if (isUnreachable(element)) problems.push(`out of reach: ${nameOf(element)}`);
    const controls = [...layer.querySelectorAll(CONTROLS)].flatMap((element) => {
      const box = isSeen(element) ? shownBox(element) : null;
      return box === null || getComputedStyle(element).pointerEvents === 'none'
        ? []
        : [{ element, box }];
    });
    for (const [index, one] of controls.entries())
      for (const other of controls.slice(index + 1)) {
        if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
        const left = Math.max(one.box.left, other.box.left);
        const right = Math.min(one.box.right, other.box.right);
        const top = Math.max(one.box.top, other.box.top);
        const bottom = Math.min(one.box.bottom, other.box.bottom);
        if (right - left <= SLACK || bottom - top <= SLACK) continue;
        // Content may scroll underneath a fixed element.
        const stays = (element: Element) =>
          element.closest('[class*="sticky"], [class*="fixed"], [class*="absolute"]');
        if (stays(one.element) !== stays(other.element)) continue;
        problems.push(`overlap: ${nameOf(one.element)} and ${nameOf(other.element)}`);
      }
    return problems;
  });
}
