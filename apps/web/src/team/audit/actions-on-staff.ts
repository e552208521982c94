import { rich } from '@stagedoor/browser/rich-text';
import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, person, roleOf, teammate, textOf } from './action-texts.ts';

/** The sentences for actions on admin accounts and their passkeys. */
export const ACTIONS_ON_STAFF: ActionTexts = {
  'admin.add': {
    label: t('Admin added'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} added {person} as {role}',
        { actor },
        {
          person: person(entry, nameOf),
          role: roleOf(entry.details.role),
        },
      ),
  },
  'admin.restore': {
    label: t('Admin invited back'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} invited {person} back as {role}',
        { actor },
        {
          person: person(entry, nameOf),
          role: roleOf(entry.details.role),
        },
      ),
  },
  'admin.remove': {
    label: t('Admin removed'),
    sentence: (actor, entry, nameOf) =>
      rich('{actor} removed {person}', { actor }, { person: person(entry, nameOf) }),
  },
  'admin.update_permissions': {
    label: t('Message privileges changed'),
    sentence: (actor, entry, nameOf) =>
      entry.details.can_manage_messages === true
        ? rich(
            '{actor} granted message privileges to {person}',
            { actor },
            { person: person(entry, nameOf) },
          )
        : rich(
            '{actor} revoked the message privileges of {person}',
            { actor },
            { person: person(entry, nameOf) },
          ),
  },
  'admin.update_role': {
    label: t('Role changed'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} changed the role of {person} from {was} to {role}',
        { actor },
        {
          person: person(entry, nameOf),
          was: roleOf(entry.details.was),
          role: roleOf(entry.details.role),
        },
      ),
  },
  'admin.update_codename': {
    label: t('Codename changed'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} renamed {was} to {codename}',
        { actor },
        {
          was: textOf(details.was),
          codename: textOf(details.codename),
        },
      ),
  },
  'admin.update_color': {
    label: t('Color changed'),
    sentence: (actor, entry, nameOf) =>
      rich('{actor} changed the color of {person}', { actor }, { person: person(entry, nameOf) }),
  },
  'admin.unlock': {
    label: t('Sign-in unlocked'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} unlocked the sign-in of {person}',
        { actor },
        { person: person(entry, nameOf) },
      ),
  },
  'sign_in.complete': {
    label: t('Signed in'),
    sentence: (actor, { details: { factors } }) =>
      Array.isArray(factors) && factors.includes('passkey')
        ? rich('{actor} signed in with a code and a passkey', { actor })
        : rich('{actor} signed in with a code', { actor }),
  },
  'sign_in.fail': {
    label: t('Sign-in failed'),
    sentence: (actor, { details: { factor, in_a_row } }) =>
      factor === 'passkey'
        ? rich('{actor} failed to sign in: the passkey was not accepted', { actor })
        : rich(
            '{actor} failed to sign in: wrong code, {count} in a row',
            { actor },
            { count: Number(in_a_row) },
          ),
  },
  'passkey.add': {
    label: t('Passkey added'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} added the passkey “{name}” to their account',
        { actor },
        { name: textOf(details.name) },
      ),
  },
  'passkey.rename': {
    label: t('Passkey renamed'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} renamed their passkey “{was}” to “{name}”',
        { actor },
        {
          was: textOf(details.was),
          name: textOf(details.name),
        },
      ),
  },
  'passkey.remove': {
    label: t('Passkey removed'),
    sentence: (actor, { details }) =>
      rich('{actor} removed their passkey “{name}”', { actor }, { name: textOf(details.name) }),
  },
  'passkey.reset': {
    label: t('Passkeys reset'),
    sentence: (actor, entry, nameOf) =>
      rich('{actor} reset the passkeys of {person}', { actor }, { person: person(entry, nameOf) }),
  },
  'passkey.require': {
    label: t('Passkey required for a role'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} required a passkey for the role {role}',
        { actor },
        { role: roleOf(details.role) },
      ),
  },
  'passkey.lift': {
    label: t('Passkey no longer required for a role'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} stopped requiring a passkey for the role {role}',
        { actor },
        { role: roleOf(details.role) },
      ),
  },
  'passkey.suspect': {
    label: t('Passkey refused: possible copy'),
    sentence: (actor, { details }) =>
      rich(
        '{actor} was refused because the passkey “{name}” may have been copied',
        { actor },
        {
          name: textOf(details.name),
        },
      ),
  },
  'shift.create': {
    label: t('Shift planned'),
    sentence: (actor, entry, nameOf) =>
      rich('{actor} planned a shift of {person}', { actor }, { person: person(entry, nameOf) }),
  },
  'shift.update': {
    label: t('Shift changed'),
    sentence: (actor, entry, nameOf) =>
      rich('{actor} changed a shift of {person}', { actor }, { person: person(entry, nameOf) }),
  },
  'shift.delete': {
    label: t('Shift deleted'),
    sentence: (actor, entry, nameOf) =>
      rich('{actor} deleted a shift of {person}', { actor }, { person: person(entry, nameOf) }),
  },
  'shift.ask_for_time': {
    label: t('More time requested'),
    sentence: (actor) => rich('{actor} asked for 30 more minutes on shift', { actor }),
  },
  'shift.grant_time': {
    label: t('More time granted'),
    sentence: (actor, entry, nameOf) =>
      rich(
        '{actor} gave {person} 30 more minutes on shift',
        { actor },
        { person: person(entry, nameOf) },
      ),
  },
  'admin.end_shift': {
    label: t('Shift ended'),
    sentence: (actor, { details: { to, conversations } }, nameOf) => {
      const count = Number(conversations);
      return to === null
        ? rich(
            '{actor} ended a shift and released their conversations ({count})',
            { actor },
            { count },
          )
        : rich(
            '{actor} ended a shift and handed over to {teammate} ({count})',
            { actor },
            {
              teammate: teammate(to, nameOf),
              count,
            },
          );
    },
  },
};
