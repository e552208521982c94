import type { MessageHit } from '@stagedoor/contract/inbox/message-search';

/** UTF-16 units of a message that are shown before the first match, and in all. */
const BEFORE = 60;
const LENGTH = 220;

/**
 * The part of a message around the first match, and where in it all matches are.
 * @param needle in lower case
 */
export function excerptOf(content: string, needle: string): MessageHit['excerpt'] {
  // One unit becomes one unit, so that places stay.
  const line = content.replaceAll(/\s/g, ' ');
  const first = placesOf(line, needle)[0] ?? 0;
  const from = wholeFrom(line, Math.max(0, first - BEFORE));
  const to = wholeFrom(line, Math.min(line.length, from + LENGTH));
  const text = line.slice(from, to);
  return {
    text,
    marks: placesOf(text, needle).map((start) => ({ start, end: start + needle.length })),
    has_before: from > 0,
    has_after: to < line.length,
  };
}

/** Where the text contains the needle, in any case. */
function placesOf(text: string, needle: string): number[] {
  const haystack = text.toLowerCase();
  // Where lower case is longer than the text (İ), places in one are not places in the other.
  if (haystack.length !== text.length) return [];
  const places: number[] = [];
  for (
    let at = haystack.indexOf(needle);
    at !== -1;
    at = haystack.indexOf(needle, at + needle.length)
  ) {
    places.push(at);
  }
  return places;
}

/** The place, moved behind the half of a character that it would leave. */
const wholeFrom = (text: string, place: number): number =>
  /[\udc00-\udfff]/.test(text[place] ?? '') ? place + 1 : place;
