/** The fan's data that a mass message can contain: `{first_name}`, or with a fallback `{first_name|there}`. */
export const CAMPAIGN_VARIABLES = ['first_name', 'username'] as const;
export type CampaignVariable = (typeof CAMPAIGN_VARIABLES)[number];

/** A piece of a mass message's text. */
export type CampaignTextPart =
  | { readonly text: string }
  | {
      readonly variable: CampaignVariable;
      /** Replaces a missing value; can be empty. If it is null, fans without the value don't get the message. */
      readonly fallback: string | null;
    };

const VARIABLE = /\{([a-z][a-z_]*)(?:\|([^{}]*))?\}/g;

/** Anything written like a variable: `{First_name}`, `{ first name | there }`. */
const LOOKALIKE = /\{\s*\p{L}[\p{L}\p{N}\s_-]*(?:\|[^{}]*)?\}/u;

const isVariable = (name: string): name is CampaignVariable =>
  (CAMPAIGN_VARIABLES as readonly string[]).includes(name);

/** Splits a text into plain text and variables. Unknown variables count as plain text. */
export function campaignTextParts(content: string): CampaignTextPart[] {
  const parts: CampaignTextPart[] = [];
  let end = 0;
  for (const match of content.matchAll(VARIABLE)) {
    const [whole, name = '', fallback] = match;
    if (!isVariable(name)) continue;
    if (match.index > end) parts.push({ text: content.slice(end, match.index) });
    parts.push({ variable: name, fallback: fallback?.trim() ?? null });
    end = match.index + whole.length;
  }
  if (end < content.length) parts.push({ text: content.slice(end) });
  return parts;
}

/** Returns the first unknown variable in a text, as written, or null. Fans would get it as plain text. */
export function unknownVariable(content: string): string | null {
  for (const part of campaignTextParts(content)) {
    const found = 'text' in part ? LOOKALIKE.exec(part.text) : null;
    if (found !== null) return found[0];
  }
  return null;
}
