/** Gives the focus to the open conversation's row, from where the arrow keys lead on; where there is none in view, takes it away. */
export function focusRow(): void {
  const focused = document.activeElement;
  if (focused?.matches('a[data-row]')) return;
  const row = document.querySelector<HTMLElement>('a[data-row][aria-current]');
  if (row?.checkVisibility()) row.focus();
  else if (focused instanceof HTMLElement) focused.blur();
}
