/**
 * A `ref` for the element that gets the focus when its popover opens. The browser focuses it synchronously; waiting for the
 * toggle event would let the next key press come first.
 */
export function focusWithPopover(element: HTMLElement | null): void {
  // React's own `autoFocus` would focus it on mount.
  element?.setAttribute('autofocus', '');
}
