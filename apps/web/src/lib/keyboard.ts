import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/** The storage key for 'single-key shortcuts are off' (WCAG 2.1.4 requires that setting). */
const STORED_OFF = 'shortcuts_off';

const listeners = createListeners();

function areShortcutsOn(): boolean {
  return localStorage.getItem(STORED_OFF) === null;
}

export function setShortcutsOn(on: boolean): void {
  if (on) localStorage.removeItem(STORED_OFF);
  else localStorage.setItem(STORED_OFF, 'true');
  listeners.notify();
}

/** Returns whether single-key shortcuts are on. */
export function useShortcutsOn(): boolean {
  return useSyncExternalStore(listeners.subscribe, areShortcutsOn);
}

/** Returns whether a key press belongs to an input method that is composing a character. */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // Safari ends the composition before it reports the Enter that ended it; key code 229 still identifies it.
  return event.isComposing || event.keyCode === 229;
}

/** Returns whether keys pressed in this element enter text. */
export function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  if (target instanceof HTMLInputElement) return !NON_TEXT_INPUTS.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const NON_TEXT_INPUTS = new Set(['button', 'checkbox', 'file', 'radio', 'range', 'submit']);

/**
 * Returns the name of a key press as shortcuts use it: `j`, `/`, `!`, `Alt+ArrowUp`, `Mod+k`, `Mod+Shift+f` (Mod is Ctrl or ⌘;
 * Shift alone changes the character instead). On non-Latin layouts, the key's position decides.
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

/** Open overlays that capture the keyboard. Tooltips don't; they are hidden from the accessibility tree. */
const OVERLAYS = ':modal, [popover]:popover-open:not([aria-hidden])';

/**
 * Returns whether shortcuts ignore a key press (named by `shortcutName`), because an overlay or a text field handles the keys or
 * single-key shortcuts are off.
 */
export function isSilenced({ target }: Pick<KeyboardEvent, 'target'>, press: string): boolean {
  if (document.querySelector(OVERLAYS)) return true;
  if (press.includes('+') && press.length > 1) return false;
  // Speech input can trigger single-character shortcuts by accident, so only those can be turned off.
  return isTextField(target) || (press.length === 1 && !areShortcutsOn());
}
