const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Where a text names a colleague. */
const mentionPattern = () => new RegExp(`<@(${UUID})>`, 'gi');

/** How a text names a colleague: by the id, so that whoever reads it later sees what they are called by then. */
export const mentionOf = (adminId: string): string => `<@${adminId}>`;

/** The ids of those whom a text names, each once, in the order in which it does. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(mentionPattern())].map(([, id = '']) => id.toLowerCase()))];
}

/** A part of a text: words, or a colleague who is named there. */
export type MentionPart = { readonly text: string } | { readonly adminId: string };

/** A text in the parts of which it consists. */
export function mentionParts(text: string): MentionPart[] {
  const parts: MentionPart[] = [];
  let end = 0;
  for (const match of text.matchAll(mentionPattern())) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ adminId: (match[1] ?? '').toLowerCase() });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}
