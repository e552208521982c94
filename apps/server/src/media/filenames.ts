import { FILENAME_MAX_CHARS } from '@stagedoor/contract/media';

/**
 * Control characters, line breaks of any kind, lone surrogates, and invisible characters such as those that reverse the writing
 * direction: `gpj.exe` must not be displayed as `exe.jpg`. Joiners are kept, because scripts and emoji need them.
 */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])\p{Cf}/gu;

/** Maximum length of an extension, including the dot. */
const EXTENSION_MAX_CHARS = 16;

/** Cleans a file's name for storage and display: removes its path and invisible characters, and limits its length. */
export function cleanFilename(given: string): string {
  const name = (given.split(/[/\\]/).at(-1) ?? '').replaceAll(UNSEEN, '').trim();
  if (name === '' || /^\.+$/.test(name)) return 'file';
  return shorten(name);
}

/** Replaces the name's extension, unless it is already an equivalent one. */
export function withExtension(name: string, extension: string, same: readonly string[]): string {
  const { stem, extension: has } = split(name);
  if (has === extension || same.includes(has)) return name;
  return shorten(`${stem}.${extension}`);
}

/** Returns the extension in lower case, without the dot; empty without one. */
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
  // A cut within a surrogate pair would leave half a character.
  const kept = stem.slice(0, FILENAME_MAX_CHARS - end.length).replace(/[\ud800-\udbff]$/, '');
  return `${kept}${end}`;
}
