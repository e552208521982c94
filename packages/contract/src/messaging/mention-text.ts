const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** Matches a mention in a text. */
const mentionPattern = () => new RegExp(`<@(${UUID})>`, 'gi');

/** Returns the mention of an admin. It contains the id, so that readers always see the current codename. */
export const mentionOf = (adminId: string): string => `<@${adminId}>`;

/** Returns the ids of the admins that a text mentions, in order, without duplicates. */
export function mentionedIn(text: string): string[] {
  return [...new Set([...text.matchAll(mentionPattern())].map(([, id = '']) => id.toLowerCase()))];
}

/** A part of a text: plain text, or a mentioned admin. */
export type MentionPart = { readonly text: string } | { readonly adminId: string };

/** Splits a text into plain text and mentions. */
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
