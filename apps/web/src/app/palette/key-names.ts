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
 * Returns the key labels of a shortcut: one list per press, with the keys that are held together. `g i` is `[['G'], ['I']]`,
 * `Mod+k` is `[['Ctrl', 'K']]`.
 */
export function keyNames(shortcut: string): string[][] {
  return shortcut.split(' ').map((press) => press.split(/(?<=.)\+/).map(nameOf));
}
