import { rich } from '@stagedoor/browser/rich-text';
import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, roleOf, teammate, textOf } from './action-texts.ts';

/** The sentences for actions on admin accounts and their passkeys. */
export const ACTIONS_ON_STAFF: ActionTexts = {
  'admin.add': {
    label: t('Admin added'),
    sentence: (actor, values) => rich('{actor} added {person} as {role}', actor, values),
  },
  'admin.restore': {
    label: t('Admin invited back'),
    sentence: (actor, values) => rich('{actor} invited {person} back as {role}', actor, values),
  },
  'admin.remove': {
    label: t('Admin removed'),
    sentence: (actor, values) => rich('{actor} removed {person}', actor, values),
  },
  'admin.update_permissions': {
    label: t('Message privileges changed'),
    sentence: (actor, values, entry) =>
      entry.details.can_manage_messages === true
        ? rich('{actor} granted message privileges to {person}', actor, values)
        : rich('{actor} revoked the message privileges of {person}', actor, values),
  },
  'admin.update_role': {
    label: t('Role changed'),
    sentence: (actor, values, entry) =>
      rich('{actor} changed the role of {person} from {was} to {role}', actor, {
        ...values,
        was: roleOf(entry.details.was),
      }),
  },
  'admin.update_codename': {
    label: t('Codename changed'),
    sentence: (actor, values, { details }) =>
      rich('{actor} renamed {was} to {codename}', actor, {
        ...values,
        was: textOf(details.was),
        codename: textOf(details.codename),
      }),
  },
  'admin.update_color': {
    label: t('Color changed'),
    sentence: (actor, values) => rich('{actor} changed the color of {person}', actor, values),
  },
  'admin.unlock': {
    label: t('Sign-in unlocked'),
    sentence: (actor, values) => rich('{actor} unlocked the sign-in of {person}', actor, values),
  },
  'sign_in.complete': {
    label: t('Signed in'),
    sentence: (actor, values, { details: { factors } }) =>
      Array.isArray(factors) && factors.includes('passkey')
        ? rich('{actor} signed in with a code and a passkey', actor, values)
        : rich('{actor} signed in with a code', actor, values),
  },
  'sign_in.fail': {
    label: t('Sign-in failed'),
    sentence: (actor, values, { details: { factor, in_a_row } }) =>
      factor === 'passkey'
        ? rich('{actor} failed to sign in: the passkey was not accepted', actor)
        : rich('{actor} failed to sign in: wrong code (attempt {count})', actor, {
            ...values,
            count: Number(in_a_row),
          }),
  },
  'passkey.add': {
    label: t('Passkey added'),
    sentence: (actor, values, { details }) =>
      rich('{actor} added the passkey “{name}” to their account', actor, {
        ...values,
        name: textOf(details.name),
      }),
  },
  'passkey.rename': {
    label: t('Passkey renamed'),
    sentence: (actor, values, { details }) =>
      rich('{actor} renamed their passkey “{was}” to “{name}”', actor, {
        ...values,
        was: textOf(details.was),
        name: textOf(details.name),
      }),
  },
  'passkey.remove': {
    label: t('Passkey removed'),
    sentence: (actor, values, { details }) =>
      rich('{actor} removed their passkey “{name}”', actor, {
        ...values,
        name: textOf(details.name),
      }),
  },
  'passkey.reset': {
    label: t('Passkeys reset'),
    sentence: (actor, values) => rich('{actor} reset the passkeys of {person}', actor, values),
  },
  'passkey.require': {
    label: t('Passkey required for a role'),
    sentence: (actor, values) =>
      rich('{actor} required a passkey for the role {role}', actor, values),
  },
  'passkey.lift': {
    label: t('Passkey no longer required for a role'),
    sentence: (actor, values) =>
      rich('{actor} stopped requiring a passkey for the role {role}', actor, values),
  },
  'passkey.suspect': {
    label: t('Passkey refused: possible copy'),
    sentence: (actor, values, { details }) =>
      rich('{actor} was refused because the passkey “{name}” may have been copied', actor, {
        ...values,
        name: textOf(details.name),
      }),
  },
  'shift.create': {
    label: t('Shift planned'),
    sentence: (actor, values) => rich('{actor} planned a shift of {person}', actor, values),
  },
  'shift.update': {
    label: t('Shift changed'),
    sentence: (actor, values) => rich('{actor} changed a shift of {person}', actor, values),
  },
  'shift.delete': {
    label: t('Shift deleted'),
    sentence: (actor, values) => rich('{actor} deleted a shift of {person}', actor, values),
  },
  'shift.ask_for_time': {
    label: t('More time requested'),
    sentence: (actor) => rich('{actor} asked for 30 more minutes on shift', actor),
  },
  'shift.grant_time': {
    label: t('More time granted'),
    sentence: (actor, values) =>
      rich('{actor} gave {person} 30 more minutes on shift', actor, values),
  },
  'admin.end_shift': {
    label: t('Shift ended'),
    sentence: (actor, values, { details: { to, conversations } }, nameOf) => {
      const count = Number(conversations);
      return to === null
        ? rich('{actor} ended a shift and released their conversations ({count})', actor, {
            ...values,
            count,
          })
        : rich('{actor} ended a shift and handed over to {teammate} ({count})', actor, {
            ...values,
            teammate: teammate(to, nameOf),
            count,
          });
    },
  },
};
