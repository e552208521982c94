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

/** Returns the first unknown variable in a text, as written, or null. */
export function unknownVariable(content: string): string | null {
  for (const [whole, name = ''] of content.matchAll(VARIABLE)) if (!isVariable(name)) return whole;
  return null;
}
