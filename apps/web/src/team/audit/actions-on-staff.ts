import { t } from '../../lib/text/i18n.ts';
import {
  type ActionTexts,
  type EntryFields,
  type NameOf,
  roleOf,
  teammateIn,
} from './action-texts.ts';
import { phrase, textsOf, when } from './phrase.ts';

const handedOver = (entry: EntryFields, nameOf: NameOf) => ({
  ...teammateIn('to')(entry, nameOf),
  count: Number(entry.details.conversations),
});

/** The sentences for actions on admin accounts and their passkeys. */
export const ACTIONS_ON_STAFF: ActionTexts = {
  'admin.add': [t('Admin added'), phrase('{actor} added {person} as {role}')],
  'admin.restore': [t('Admin invited back'), phrase('{actor} invited {person} back as {role}')],
  'admin.remove': [t('Admin removed'), phrase('{actor} removed {person}')],
  'admin.update_permissions': [
    t('Message privileges changed'),
    when(
      ({ details }) => details.can_manage_messages === true,
      phrase('{actor} granted message privileges to {person}'),
      phrase('{actor} revoked the message privileges of {person}'),
    ),
  ],
  'admin.update_role': [
    t('Role changed'),
    phrase('{actor} changed the role of {person} from {was} to {role}', ({ details }) => ({
      was: roleOf(details.was),
    })),
  ],
  'admin.update_codename': [
    t('Codename changed'),
    phrase('{actor} renamed {was} to {codename}', textsOf('was', 'codename')),
  ],
  'admin.update_color': [t('Color changed'), phrase('{actor} changed the color of {person}')],
  'admin.unlock': [t('Sign-in unlocked'), phrase('{actor} unlocked the sign-in of {person}')],
  'sign_in.complete': [
    t('Signed in'),
    when(
      ({ details: { factors } }) => Array.isArray(factors) && factors.includes('passkey'),
      phrase('{actor} signed in with a code and a passkey'),
      phrase('{actor} signed in with a code'),
    ),
  ],
  'sign_in.fail': [
    t('Sign-in failed'),
    when(
      ({ details }) => details.factor === 'passkey',
      phrase('{actor} failed to sign in: the passkey was not accepted'),
      phrase('{actor} failed to sign in: wrong code (attempt {count})', ({ details }) => ({
        count: Number(details.in_a_row),
      })),
    ),
  ],
  'passkey.add': [
    t('Passkey added'),
    phrase('{actor} added the passkey “{name}” to their account', textsOf('name')),
  ],
  'passkey.rename': [
    t('Passkey renamed'),
    phrase('{actor} renamed their passkey “{was}” to “{name}”', textsOf('was', 'name')),
  ],
  'passkey.remove': [
    t('Passkey removed'),
    phrase('{actor} removed their passkey “{name}”', textsOf('name')),
  ],
  'passkey.reset': [t('Passkeys reset'), phrase('{actor} reset the passkeys of {person}')],
  'passkey.require': [
    t('Passkey required for a role'),
    phrase('{actor} required a passkey for the role {role}'),
  ],
  'passkey.lift': [
    t('Passkey no longer required for a role'),
    phrase('{actor} stopped requiring a passkey for the role {role}'),
  ],
  'passkey.suspect': [
    t('Passkey refused: possible copy'),
    phrase(
      '{actor} was refused because the passkey “{name}” may have been copied',
      textsOf('name'),
    ),
  ],
  'shift.create': [t('Shift planned'), phrase('{actor} planned a shift of {person}')],
  'shift.update': [t('Shift changed'), phrase('{actor} changed a shift of {person}')],
  'shift.delete': [t('Shift deleted'), phrase('{actor} deleted a shift of {person}')],
  'shift.ask_for_time': [
    t('More time requested'),
    phrase('{actor} asked for 30 more minutes on shift'),
  ],
  'shift.grant_time': [
    t('More time granted'),
    phrase('{actor} gave {person} 30 more minutes on shift'),
  ],
  'admin.end_shift': [
    t('Shift ended'),
    when(
      ({ details }) => details.to === null,
      phrase('{actor} ended a shift and released their conversations ({count})', handedOver),
      phrase('{actor} ended a shift and handed over to {teammate} ({count})', handedOver),
    ),
  ],
};
