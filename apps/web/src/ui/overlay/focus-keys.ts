/** Keys that move the focus. */
const FOCUS_KEYS = /^(Tab|Arrow(Up|Down|Left|Right)|Home|End)$/;

let isDown = false;

if (typeof document !== 'undefined') {
  const options = { capture: true, passive: true };
  const onKey = ({ type, key }: KeyboardEvent) => {
    isDown = type === 'keydown' && FOCUS_KEYS.test(key);
  };
  document.addEventListener('keydown', onKey, options);
  document.addEventListener('keyup', onKey, options);
}

/**
 * Whether the user is moving the focus with a key right now. `:focus-visible` also matches when code moves the focus after any
 * other key, such as in a dialog opened by a shortcut.
 */
export function isMovingFocus(): boolean {
  return isDown;
}
