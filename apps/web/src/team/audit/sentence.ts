import { rich } from '@stagedoor/browser/rich-text';
import type { ReactNode } from 'react';
import { t } from '../../lib/text/i18n.ts';
import {
  type ActionTexts,
  type EntryFields,
  type NameOf,
  roleOf,
  teammate,
} from './action-texts.ts';
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
  return WORDS[action]?.[0] ?? capitalized(verb === '' ? thing : `${thing}: ${verb}`);
}

/** Returns an admin as a target: the codename and the email address, if known. */
function person({ target_id, target_label }: EntryFields, nameOf: NameOf): string {
  const name = nameOf(target_id);
  if (name === null) return target_label ?? t('an admin');
  return target_label === null ? name : `${name} (${target_label})`;
}

/** Returns the sentence of an entry. */
export function sentenceOf(actor: ReactNode, entry: EntryFields, nameOf: NameOf): ReactNode {
  const { action, target_label: name, details } = entry;
  const [, sentence] = WORDS[action] ?? [];
  if (sentence) {
    const values = {
      fan: name ?? t('a fan'),
      name: name ?? '',
      email: name ?? t('someone'),
      person: person(entry, nameOf),
      role: roleOf(details.role),
      holder: teammate(details.claimed_by, nameOf),
      author: teammate(details.author_id, nameOf),
    };
    return sentence({ actor, values, entry, nameOf });
  }
  const { thing, verb } = plain(action);
  return name === null
    ? rich('{actor} performed “{verb}” on {thing}', { actor }, { verb, thing })
    : rich('{actor} performed “{verb}” on {thing} “{name}”', { actor }, { verb, thing, name });
}
