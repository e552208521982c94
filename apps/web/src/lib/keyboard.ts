import { useEffect, useRef, useSyncExternalStore } from 'react';

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

/** A key press as shortcuts name it: `j`, `/`, `!`, `Alt+ArrowUp`, `Mod+k` (Mod is Ctrl or ⌘). */
export function shortcutName(
  event: Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey'>,
): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return `${event.ctrlKey || event.metaKey ? 'Mod+' : ''}${event.altKey ? 'Alt+' : ''}${key}`;
}

type Shortcuts = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * Binds shortcuts while the component is mounted. Composition, fields, open overlays and the off switch silence those
 * without a modifier. A shortcut that acts calls `preventDefault`, which also keeps others from acting.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event)) return;
      const name = shortcutName(event);
      const hasModifier = name.includes('+') && name.length > 1;
      if (!hasModifier && isSilenced(event)) return;
      if (Object.hasOwn(latest.current, name)) latest.current[name]?.(event);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function isSilenced(event: KeyboardEvent): boolean {
  if (!areShortcutsOn() || isTextField(event.target)) return true;
  return (
    event.target instanceof Element &&
    event.target.closest('dialog, [role="dialog"], [role="menu"], [popover]') !== null
  );
}
