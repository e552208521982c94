/** A piece of a text: plain, or an address to open. */
export type TextPart = { text: string; href: string | null };

const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
/** Punctuation that ends the sentence and not the address. */
const TRAILING = '.,;:!?…\'"”’';
const OPENING = { ')': '(', ']': '[' };

/** Cuts off trailing punctuation, in one pass from the end: fans choose these texts, also very long ones. */
function trimmed(address: string): string {
  // How many more brackets are closed than opened, up to the end that is kept.
  const surplus = { ')': surplusOf(address, ')'), ']': surplusOf(address, ']') };
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1);
    if (TRAILING.includes(last)) continue;
    // A closing bracket belongs to the address only where it was opened inside it.
    if ((last !== ')' && last !== ']') || surplus[last] <= 0) break;
    surplus[last] -= 1;
  }
  return address.slice(0, end);
}

function surplusOf(text: string, closing: ')' | ']'): number {
  return text.split(closing).length - text.split(OPENING[closing]).length;
}

function hrefOf(address: string): string | null {
  try {
    const url = new URL(address);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isWeb && url.hostname !== '' ? url.href : null;
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
