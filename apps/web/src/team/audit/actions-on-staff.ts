import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, person, roleOf, teammate, textOf } from './action-texts.ts';

/** The sentences for actions on admin accounts and their passkeys. */
export const ACTIONS_ON_STAFF: ActionTexts = {
  'admin.add': {
    label: t('Admin added'),
    sentence: (entry, nameOf) =>
      t('added {person} as {role}', {
        person: person(entry, nameOf),
        role: roleOf(entry.details.role),
      }),
  },
  'admin.restore': {
    label: t('Admin invited back'),
    sentence: (entry, nameOf) =>
      t('invited {person} back as {role}', {
        person: person(entry, nameOf),
        role: roleOf(entry.details.role),
      }),
  },
  'admin.remove': {
    label: t('Admin removed'),
    sentence: (entry, nameOf) => t('removed {person}', { person: person(entry, nameOf) }),
  },
  'admin.update_permissions': {
    label: t('Message privileges changed'),
    sentence: (entry, nameOf) =>
      entry.details.can_manage_messages === true
        ? t('granted message privileges to {person}', { person: person(entry, nameOf) })
        : t('revoked the message privileges of {person}', { person: person(entry, nameOf) }),
  },
  'admin.update_role': {
    label: t('Role changed'),
    sentence: (entry, nameOf) =>
      t('changed the role of {person} from {was} to {role}', {
        person: person(entry, nameOf),
        was: roleOf(entry.details.was),
        role: roleOf(entry.details.role),
      }),
  },
  'admin.update_codename': {
    label: t('Codename changed'),
    sentence: ({ details }) =>
      t('renamed {was} to {codename}', {
        was: textOf(details.was),
        codename: textOf(details.codename),
      }),
  },
  'admin.update_color': {
    label: t('Color changed'),
    sentence: (entry, nameOf) =>
      t('changed the color of {person}', { person: person(entry, nameOf) }),
  },
  'admin.unlock': {
    label: t('Sign-in unlocked'),
    sentence: (entry, nameOf) =>
      t('unlocked the sign-in of {person}', { person: person(entry, nameOf) }),
  },
  'sign_in.complete': {
    label: t('Signed in'),
    sentence: ({ details: { factors } }) =>
      Array.isArray(factors) && factors.includes('passkey')
        ? t('signed in with a code and a passkey')
        : t('signed in with a code'),
  },
  'sign_in.fail': {
    label: t('Sign-in failed'),
    sentence: ({ details: { factor, in_a_row } }) =>
      factor === 'passkey'
        ? t('failed to sign in: the passkey was not accepted')
        : t('failed to sign in: wrong code, {count} in a row', { count: Number(in_a_row) }),
  },
  'passkey.add': {
    label: t('Passkey added'),
    sentence: ({ details }) =>
      t('added the passkey “{name}” to their account', { name: textOf(details.name) }),
  },
  'passkey.rename': {
    label: t('Passkey renamed'),
    sentence: ({ details }) =>
      t('renamed their passkey “{was}” to “{name}”', {
        was: textOf(details.was),
        name: textOf(details.name),
      }),
  },
  'passkey.remove': {
    label: t('Passkey removed'),
    sentence: ({ details }) => t('removed their passkey “{name}”', { name: textOf(details.name) }),
  },
  'passkey.reset': {
    label: t('Passkeys reset'),
    sentence: (entry, nameOf) =>
      t('reset the passkeys of {person}', { person: person(entry, nameOf) }),
  },
  'passkey.require': {
    label: t('Passkey required for a role'),
    sentence: ({ details }) =>
      t('required a passkey for the role {role}', { role: roleOf(details.role) }),
  },
  'passkey.lift': {
    label: t('Passkey no longer required for a role'),
    sentence: ({ details }) =>
      t('stopped requiring a passkey for the role {role}', { role: roleOf(details.role) }),
  },
  'passkey.suspect': {
    label: t('Passkey refused: possible copy'),
    sentence: ({ details }) =>
      t('was refused because the passkey “{name}” may have been copied', {
        name: textOf(details.name),
      }),
  },
  'admin.end_shift': {
    label: t('Shift ended'),
    sentence: ({ details: { to, conversations } }, nameOf) => {
      const count = Number(conversations);
      return to === null
        ? t('ended a shift and released their conversations ({count})', { count })
        : t('ended a shift and handed over to {colleague} ({count})', {
            colleague: teammate(to, nameOf),
            count,
          });
    },
  },
};
