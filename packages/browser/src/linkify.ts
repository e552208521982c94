/** A part of a text: plain text, or a link if `href` is set. */
export type TextPart = { text: string; href: string | null };

const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
/** Punctuation that belongs to the sentence, not to the address. */
const TRAILING = '.,;:!?…”’';

/** Removes trailing punctuation in a single pass, because fans can send very long texts. */
function trimmed(address: string): string {
  // A closing bracket belongs to the address only if the address also contains the opening bracket.
  let round = address.split(')').length - address.split('(').length;
  let square = address.split(']').length - address.split('[').length;
  for (let end = address.length; ; end--) {
    const last = address.charAt(end - 1);
    const isTrailing =
      last === ')' ? round-- > 0 : last === ']' ? square-- > 0 : TRAILING.includes(last);
    if (!isTrailing) return address.slice(0, end);
  }
}

/** Parses an address matched by ADDRESS, so its scheme is always http or https. */
function hrefOf(address: string): string | null {
  try {
    return new URL(address).href;
  } catch {
    return null;
  }
}

/** Splits a text into plain parts and http(s) links. The joined parts equal the text. */
export function linkify(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimmed(match[0]);
    const href = hrefOf(address);
    if (href === null) continue;
    if (match.index > done) parts.push({ text: text.slice(done, match.index), href: null });
    parts.push({ text: address, href });
    done = match.index + address.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), href: null });
  return parts;
}
