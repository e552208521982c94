import { useSyncExternalStore } from 'react';

/** Where it is stored that single-key shortcuts are off (WCAG 2.1.4 asks for that switch). */
const STORED_OFF = 'shortcuts_off';

const listeners = new Set<() => void>();

function areShortcutsOn(): boolean {
  return localStorage.getItem(STORED_OFF) === null;
}

/** Turns single-key shortcuts on or off for this browser. */
export function setShortcutsOn(on: boolean): void {
  if (on) localStorage.removeItem(STORED_OFF);
  else localStorage.setItem(STORED_OFF, 'true');
  for (const listener of listeners) listener();
}

/** Whether single-key shortcuts are on. */
export function useShortcutsOn(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, areShortcutsOn);
}

/** Whether a key press belongs to an input method that is composing a character. */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // Safari ends the composition before it reports the Enter that ended it; 229 still tells.
  return event.isComposing || event.keyCode === 229;
}

/** Whether keys typed here are text. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !NON_TEXT_INPUTS.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const NON_TEXT_INPUTS = new Set(['button', 'checkbox', 'file', 'radio', 'range', 'submit']);

/**
 * A key press as shortcuts name it: `j`, `/`, `!`, `Alt+ArrowUp`, `Mod+k`, `Mod+Shift+f` (Mod is Ctrl or ⌘; Shift alone makes
 * another character). A layout without Latin letters is taken by the places of its keys.
 */
export function shortcutName(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'altKey' | 'ctrlKey' | 'metaKey'> &
    Partial<Pick<KeyboardEvent, 'shiftKey'>>,
): string {
  const isForeign = event.key > '\u02af' && event.key.length === 1;
  const latin = isForeign ? /^Key([A-Z])$/.exec(event.code)?.[1] : undefined;
  const key = event.key.length === 1 ? (latin ?? event.key).toLowerCase() : event.key;
  const mod = event.ctrlKey || event.metaKey;
  const shift = mod && event.shiftKey && key.length === 1;
  return `${mod ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

/** What lies over the page and takes the keys; tooltips, which are hidden from the accessibility tree, do not. */
const OVERLAYS = ':modal, [popover]:popover-open:not([aria-hidden])';

/** Whether a press, as `shortcutName` calls it, is not for shortcuts: it belongs to an overlay or a field, or is switched off. */
export function isSilenced({ target }: Pick<KeyboardEvent, 'target'>, press: string): boolean {
  if (document.querySelector(OVERLAYS)) return true;
  if (press.includes('+') && press.length > 1) return false;
  // The switch is for keys that type something: the others can't be pressed by dictation.
  return isTextField(target) || (press.length === 1 && !areShortcutsOn());
}
