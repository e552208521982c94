/**
 * As the `ref` of what has the focus once the popover around it shows. The browser gives it at once; who waits to be told
 * that it shows may be overtaken by the next key.
 */
export function focusWithPopover(element: HTMLElement | null): void {
  // React's own `autoFocus` would focus it as it is mounted.
  element?.setAttribute('autofocus', '');
}
