/** A piece of a text: plain, or an address to open. */
export type TextPart = { text: string; href: string | null };

const ADDRESS = /https?:\/\/[^\s<>"'`]+/giu;
/** Punctuation that ends the sentence and not the address. */
const TRAILING = /[.,;:!?…'"”’]+$/u;

function trimmed(address: string): string {
  let end = address.replace(TRAILING, '');
  // A closing bracket belongs to the address only where it was opened inside it.
  while (/[)\]]$/.test(end) && !isBalanced(end)) end = end.slice(0, -1).replace(TRAILING, '');
  return end;
}

function isBalanced(text: string): boolean {
  const [open, close] = text.endsWith(')') ? ['(', ')'] : ['[', ']'];
  return text.split(open).length >= text.split(close).length;
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
