/**
 * Focuses the open conversation's row, so that the arrow keys continue from there. Blurs the focused element if no row is
 * visible.
 */
export function focusRow(): void {
  const focused = document.activeElement;
  if (focused?.matches('a[data-row]')) return;
  const row = document.querySelector<HTMLElement>('a[data-row][aria-current]');
  if (row?.checkVisibility()) row.focus();
  else if (focused instanceof HTMLElement) focused.blur();
}
