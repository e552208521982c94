import type { MessageHit } from '@stagedoor/contract/inbox/message-search';

/** Lower-cases a text without changing its length, so that positions stay the same. */
const lowered = (text: string): string => text.replaceAll('İ', 'i').toLowerCase();

/**
 * Returns the part of a message around the first match, with the positions of all matches in it.
 * @param needle in lower case
 * @param before the maximum length before the first match, in UTF-16 units
 * @param length the maximum length of the excerpt, in UTF-16 units
 */
export function excerptOf(
  content: string,
  needle: string,
  { before, length }: { before: number; length: number },
): MessageHit['excerpt'] {
  // Replaces each whitespace character with a space. Both are one UTF-16 unit long, so positions stay the same.
  const line = content.replaceAll(/\s/g, ' ');
  const first = positionsOf(line, needle)[0] ?? 0;
  const from = wholeFrom(line, Math.max(0, first - before));
  const to = wholeFrom(line, Math.min(line.length, from + length));
  const text = line.slice(from, to);
  return {
    text,
    marks: positionsOf(text, needle).map((start) => ({ start, end: start + needle.length })),
    has_before: from > 0,
    has_after: to < line.length,
  };
}

/** Returns the positions of the needle in a text, ignoring case. */
function positionsOf(text: string, needle: string): number[] {
  const haystack = lowered(text);
  const positions: number[] = [];
  for (
    let at = haystack.indexOf(needle);
    at !== -1;
    at = haystack.indexOf(needle, at + needle.length)
  ) {
    positions.push(at);
  }
  return positions;
}

/** Returns the position, moved forward by one if it would split a surrogate pair. */
const wholeFrom = (text: string, at: number): number =>
  /[\udc00-\udfff]/.test(text[at] ?? '') ? at + 1 : at;
