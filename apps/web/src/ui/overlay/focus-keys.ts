/** Keys by which a person moves the focus. */
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
 * Whether the focus is moved by a person's key just now. `:focus-visible` also matches where code moved the focus after any
 * other key, as a dialog does that a shortcut opened.
 */
export function isMovingFocus(): boolean {
  return isDown;
}
