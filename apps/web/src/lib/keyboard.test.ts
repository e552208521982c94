import { describe, expect, it } from 'vitest';
import { isComposing, shortcutName } from './keyboard.ts';

const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) =>
  shortcutName({ key, code: '', altKey: false, ctrlKey: false, metaKey: false, ...modifiers });

describe('shortcuts', () => {
  it('are the same with Caps Lock on', () => {
    expect(press('J')).toBe('j');
  });

  it('use the key’s position on layouts without Latin letters', () => {
    expect(press('о', { code: 'KeyJ' })).toBe('j');
    expect(press('é', { code: 'Digit2' })).toBe('é');
    expect(press('ArrowDown', { code: 'ArrowDown' })).toBe('ArrowDown');
  });

  it('treat Ctrl and ⌘ as the same key', () => {
    expect(press('k', { ctrlKey: true })).toBe('Mod+k');
    expect(press('k', { metaKey: true })).toBe('Mod+k');
    expect(press('ArrowUp', { altKey: true })).toBe('Alt+ArrowUp');
    expect(press('F', { ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+f');
    expect(press('!', { shiftKey: true })).toBe('!');
  });

  it('detect IME composition, even if only the key code shows it', () => {
    expect(isComposing({ isComposing: true, keyCode: 13 })).toBe(true);
    expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
    expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
  });
});
