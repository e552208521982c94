import type { Page } from '@playwright/test';

/** The minimum width and height of a touch target, in CSS pixels. */
const FINGER = 44;

/**
 * Returns visible controls with touch targets smaller than 44 by 44. A control's label, and elements laid over it to catch
 * touches, count as part of the target. Links within a line of text may have less height.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden]), select, textarea, [role=tab], [role=option], [role=menuitem], [role=switch]',
    );
    const overlay = document.querySelector('dialog[open], [popover]:popover-open');
    const sizeOf = (control: HTMLElement) => {
      const label = control.closest('label');
      const boxes = [control, ...(label ? [label] : [])].map((element) =>
        element.getBoundingClientRect(),
      );
      const after = getComputedStyle(control, '::after');
      const catches = after.position === 'absolute' && after.content !== 'none';
      const laid = catches ? [Number.parseFloat(after.width), Number.parseFloat(after.height)] : [];
      return {
        width: Math.max(...boxes.map(({ width }) => width), laid[0] ?? 0),
        height: Math.max(...boxes.map(({ height }) => height), laid[1] ?? 0),
      };
    };
    return [...controls]
      .filter((control) =>
        control.checkVisibility({ visibilityProperty: true, opacityProperty: false }),
      )
      .filter((control) => overlay === null || overlay.contains(control))
      .filter((control) => control.closest('[inert], [aria-hidden="true"]') === null)
      .flatMap((control) => {
        const { width, height } = sizeOf(control);
        const isInText = control.matches('a') && getComputedStyle(control).display === 'inline';
        if (isInText || (width >= least - 0.5 && height >= least - 0.5)) return [];
        const name = control.getAttribute('aria-label') ?? control.textContent?.trim().slice(0, 40);
        return [`${control.tagName} ${name}: ${Math.round(width)} x ${Math.round(height)}`];
      });
  }, FINGER);
}
