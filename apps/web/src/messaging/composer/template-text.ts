import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { TEMPLATE_VARIABLES, type TemplateVariable } from '@stagedoor/contract/messaging/templates';

/** The id of the list that a `/` opens. */
export const PICKER_ID = 'template-picker';

type Fan = Pick<Conversation['fan'], 'first_name' | 'last_name' | 'username'>;

/** A variable that still stands in a text: UTF-16 units, the end not included. */
export interface OpenVariable {
  readonly name: TemplateVariable;
  readonly start: number;
  readonly end: number;
}

/** No template is looked for by more. */
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

/** A template's text for a fan. A variable for which nothing is known of them stays as it is. */
export function fillTemplate(content: string, fan: Fan): string {
  return content.replace(VARIABLE, (whole, name: TemplateVariable) => VALUES[name](fan) || whole);
}

/** The variables that a text still has, in their order: somebody has to fill them in before it is sent. */
export function openVariables(text: string): OpenVariable[] {
  return [...text.matchAll(VARIABLE)].map((found) => ({
    name: found[1] as TemplateVariable,
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** What a `/` at the start of a reply looks for: what stands between it and the caret; null where there is none. */
export function slashQuery(text: string, caret: number): string | null {
  if (!text.startsWith('/') || caret < 1) return null;
  const query = text.slice(1, caret);
  return query.includes('\n') || query.length > LONGEST_QUERY ? null : query;
}

/** A reply with a template in it, before all that was typed besides. @param from what the template stands in place of ends here */
export function withTemplateText(text: string, from: number, filled: string): string {
  return [filled, text.slice(from)].filter((part) => part.trim() !== '').join('\n');
}
