/** A part of a text, either a match or the text between matches. */
export interface TextPart {
  text: string;
  found: boolean;
}

/** Splits a text into parts, with every case-insensitive match of the query. */
export function highlight(text: string, query: string): TextPart[] {
  const haystack = text.toLowerCase();
  const needle = query.toLowerCase();
  // If lower case changes the length (İ), indices of the two texts don't correspond.
  if (needle === '' || haystack.length !== text.length) return [{ text, found: false }];
  const parts: TextPart[] = [];
  let from = 0;
  for (let at = haystack.indexOf(needle); at !== -1; at = haystack.indexOf(needle, from)) {
    if (at > from) parts.push({ text: text.slice(from, at), found: false });
    from = at + needle.length;
    parts.push({ text: text.slice(at, from), found: true });
  }
  if (from < text.length) parts.push({ text: text.slice(from), found: false });
  return parts;
}
