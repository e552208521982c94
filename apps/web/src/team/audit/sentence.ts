import { t } from '../../lib/text/i18n.ts';
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

/** Returns the sentence of an entry, without the actor's name at its start. */
export function sentenceOf(entry: EntryFields, nameOf: NameOf): string {
  const words = WORDS[entry.action];
  if (words) return words.sentence(entry, nameOf);
  const { thing, verb } = plain(entry.action);
  const { target_label: name } = entry;
  return name === null
    ? t('performed “{verb}” on {thing}', { verb, thing })
    : t('performed “{verb}” on {thing} “{name}”', { verb, thing, name });
}
