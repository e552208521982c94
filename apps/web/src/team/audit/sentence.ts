import { rich } from '@stagedoor/browser/rich-text';
import type { ReactNode } from 'react';
import type { ActionTexts, EntryFields, NameOf } from './action-texts.ts';
import { ACTIONS_ON_CONVERSATIONS } from './actions-on-conversations.ts';
import { ACTIONS_ON_PRODUCTS } from './actions-on-products.ts';
import { ACTIONS_ON_SETTINGS } from './actions-on-settings.ts';
import { ACTIONS_ON_STAFF } from './actions-on-staff.ts';

const WORDS: ActionTexts = {
  ...ACTIONS_ON_STAFF,
  ...ACTIONS_ON_CONVERSATIONS,
  ...ACTIONS_ON_PRODUCTS,
  ...ACTIONS_ON_SETTINGS,
};

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Splits `thing.some_verb` into words. */
function plain(action: string): { thing: string; verb: string } {
  const [thing = '', verb = ''] = action.split('.');
  return { thing: thing.replaceAll('_', ' '), verb: verb.replaceAll('_', ' ') };
}

/** Returns an action's label in the filter. Unknown actions are named by their parts. */
export function actionLabel(action: string): string {
  const { thing, verb } = plain(action);
  return WORDS[action]?.label ?? capitalized(verb === '' ? thing : `${thing}: ${verb}`);
}

/** Returns the sentence of an entry. */
export function sentenceOf(actor: ReactNode, entry: EntryFields, nameOf: NameOf): ReactNode {
  const words = WORDS[entry.action];
  if (words) return words.sentence(actor, entry, nameOf);
  const { thing, verb } = plain(entry.action);
  const { target_label: name } = entry;
  return name === null
    ? rich('{actor} performed “{verb}” on {thing}', { actor }, { verb, thing })
    : rich('{actor} performed “{verb}” on {thing} “{name}”', { actor }, { verb, thing, name });
}
