/** A part of a text: found, or what lies between. */
export interface TextPart {
  text: string;
  found: boolean;
}

/** The text in parts, with every occurrence of the query found whatever its case. */
export function highlight(text: string, query: string): TextPart[] {
  const haystack = text.toLowerCase();
  const needle = query.toLowerCase();
  // Where lower case is longer than the text (İ), places in one are not places in the other.
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
