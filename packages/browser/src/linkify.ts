/** A piece of a text: plain, or an address to open. */
export type TextPart = { text: string; href: string | null };

const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
/** Punctuation that ends the sentence and not the address. */
const TRAILING = '.,;:!?…”’';

/** Cuts off trailing punctuation, in one pass from the end: fans choose these texts, also very long ones. */
function trimmed(address: string): string {
  // A closing bracket belongs to the address only where it was opened inside it.
  let round = address.split(')').length - address.split('(').length;
  let square = address.split(']').length - address.split('[').length;
  for (let end = address.length; ; end--) {
    const last = address.charAt(end - 1);
    const isTrailing =
      last === ')' ? round-- > 0 : last === ']' ? square-- > 0 : TRAILING.includes(last);
    if (!isTrailing) return address.slice(0, end);
  }
}

/** An address as ADDRESS finds it has no other scheme than http and https. */
function hrefOf(address: string): string | null {
  try {
    return new URL(address).href;
  } catch {
    return null;
  }
}

/** Splits a text at the http and https addresses in it. Joined again, the parts are the text. */
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
