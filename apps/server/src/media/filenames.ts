import { FILENAME_MAX_CHARS } from '@stagedoor/contract/media';

/**
 * Control characters, line breaks of any kind, halves of characters, and what has no look of its own, such as what turns the
 * writing direction: `gpj.exe` must not be shown as `exe.jpg`. Joiners stay, which scripts and emoji are made with.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu;

/** The longest part after the last dot that counts as an extension, with the dot. */
const EXTENSION_MAX_CHARS = 16;

/** A file's name as it may be kept and shown: without a path, without what can't be seen, and of a bounded length. */
export function cleanFilename(given: string): string {
  const name = (given.split(/[/\\]/).at(-1) ?? '').replaceAll(UNSEEN, '').trim();
  if (name === '' || /^\.+$/.test(name)) return 'file';
  return shorten(name);
}

/** The name with another extension, unless the one it has is among those that mean the same. */
export function withExtension(name: string, extension: string, same: readonly string[]): string {
  const { stem, extension: has } = split(name);
  if (has === extension || same.includes(has)) return name;
  return shorten(`${stem}.${extension}`);
}

/** In lower case and without the dot; empty where there is none. */
export const extensionOf = (name: string): string => split(name).extension;

function split(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || name.length - dot > EXTENSION_MAX_CHARS) return { stem: name, extension: '' };
  return { stem: name.slice(0, dot), extension: name.slice(dot + 1).toLowerCase() };
}

function shorten(name: string): string {
  if (name.length <= FILENAME_MAX_CHARS) return name;
  const { stem } = split(name);
  const end = name.slice(stem.length);
  // A cut in the middle of a pair would leave half a character.
  const kept = stem.slice(0, FILENAME_MAX_CHARS - end.length).replace(/[\ud800-\udbff]$/, '');
  return `${kept}${end}`;
}
