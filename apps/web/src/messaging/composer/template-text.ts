import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { TEMPLATE_VARIABLES, type TemplateVariable } from '@stagedoor/contract/messaging/templates';

/** The id of the list that a `/` opens. */
export const PICKER_ID = 'template-picker';

type Fan = Pick<Conversation['fan'], 'first_name' | 'last_name' | 'username'>;

/** An unfilled variable in a text, as UTF-16 offsets; `end` is exclusive. */
export interface OpenVariable {
  readonly name: TemplateVariable;
  readonly start: number;
  readonly end: number;
}

/** The maximum length of a query, in characters. Longer text after a `/` is part of the message. */
const LONGEST_QUERY = 40;

const VARIABLE = new RegExp(`\\{(${TEMPLATE_VARIABLES.join('|')})\\}`, 'g');

const VALUES: Readonly<Record<TemplateVariable, (fan: Fan) => string>> = {
  first_name: ({ first_name }) => first_name?.trim() ?? '',
  name: ({ first_name, last_name, username }) =>
    [first_name, last_name]
      .map((part) => part?.trim())
      .filter(Boolean)
      .join(' ') ||
    (username?.trim() ?? ''),
  username: ({ username }) => username?.trim() ?? '',
};

/** Returns a template's text for a fan. Variables with no known value stay as they are. */
export function fillTemplate(content: string, fan: Fan): string {
  return content.replace(VARIABLE, (whole, name: TemplateVariable) => VALUES[name](fan) || whole);
}

/** Returns the variables left in a text, in order. They must be filled in before it is sent. */
export function openVariables(text: string): OpenVariable[] {
  return [...text.matchAll(VARIABLE)].map((found) => ({
    name: found[1] as TemplateVariable,
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** Returns the query between a leading `/` and the caret, or null if there is none. */
export function slashQuery(text: string, caret: number): string | null {
  if (!text.startsWith('/') || caret < 1) return null;
  const query = text.slice(1, caret);
  return query.includes('\n') || query.length > LONGEST_QUERY ? null : query;
}

/**
 * Returns the template's text, followed by the typed text that it does not replace.
 * @param from the offset at which the rest of the typed text begins; the template replaces the text before it
 */
export function withTemplateText(text: string, from: number, filled: string): string {
  return [filled, text.slice(from)].filter((part) => part.trim() !== '').join('\n');
}
