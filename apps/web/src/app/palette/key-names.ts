const IS_APPLE = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

const NAMES: Readonly<Record<string, string>> = {
  Mod: IS_APPLE ? '⌘' : 'Ctrl',
  Alt: IS_APPLE ? '⌥' : 'Alt',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
};

const nameOf = (key: string) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/**
 * A shortcut as it stands on the keyboard: its presses one after the other, each the keys that are held together.
 * `g i` is `[['G'], ['I']]`, `Mod+k` is `[['Ctrl', 'K']]`.
 */
export function keyNames(shortcut: string): string[][] {
  return shortcut.split(' ').map((press) => press.split(/(?<=.)\+/).map(nameOf));
}
