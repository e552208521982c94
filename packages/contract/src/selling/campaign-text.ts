/** The fan's data that a mass message can contain: `{first_name}`, or with a fallback `{first_name|there}`. */
export const CAMPAIGN_VARIABLES = ['first_name', 'username'] as const;
export type CampaignVariable = (typeof CAMPAIGN_VARIABLES)[number];

/** A piece of a mass message's text. */
export type CampaignTextPart =
  | { readonly text: string }
  | {
      readonly variable: CampaignVariable;
      /** Replaces a missing value, possibly with nothing; null: a fan without the value doesn't get the message. */
      readonly fallback: string | null;
    };

const VARIABLE = /\{([a-z][a-z_]*)(?:\|([^{}]*))?\}/g;

const isVariable = (name: string): name is CampaignVariable =>
  (CAMPAIGN_VARIABLES as readonly string[]).includes(name);

/** Splits a text into what is the same for every fan and its variables. Unknown variables are text. */
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

/** Returns the first variable in a text that doesn't exist, as written; null: all exist. */
export function unknownVariable(content: string): string | null {
  for (const [whole, name = ''] of content.matchAll(VARIABLE)) if (!isVariable(name)) return whole;
  return null;
}
