import { t } from '../../lib/text/i18n.ts';
import { type ActionTexts, type EntryFields, list, textOf } from './action-texts.ts';

/** Returns the changed team rules with their new values. */
function changedRules(details: EntryFields['details']): string {
  const rules = Object.entries(details)
    .filter(([rule]) => rule !== 'was')
    .map(
      ([name, value]) => RULES[name]?.(value) ?? `${name.replaceAll('_', ' ')}: ${String(value)}`,
    );
  return list.format(rules);
}

const RULES: Readonly<Record<string, (value: unknown) => string>> = {
  claim_on_first_reply: (value) =>
    value === true ? t('claim on first reply: on') : t('claim on first reply: off'),
  release_claims_after_hours: (value) =>
    typeof value === 'number'
      ? t('release inactive claims: after {hours} h', { hours: value })
      : t('release inactive claims: off'),
  reopen_on_fan_message: (value) =>
    value === true
      ? t('reopen archived conversations: on')
      : t('reopen archived conversations: off'),
};

/** The sentences for actions on team rules, the creator's picture, invitations and the platform. */
export const ACTIONS_ON_SETTINGS: ActionTexts = {
  'settings.update': {
    label: t('Team rules changed'),
    sentence: ({ details }) =>
      t('changed the team’s rules: {rules}', { rules: changedRules(details) }),
  },
  'guard_rails.update': {
    label: t('Guard rails changed'),
    sentence: () => t('changed which words and prices are allowed in messages'),
  },
  'creator.update_avatar': {
    label: t('Profile picture changed'),
    sentence: () => t('changed the profile picture'),
  },
  'invite.create': {
    label: t('Invitation sent'),
    sentence: ({ target_label }) =>
      t('invited {email} to the platform', { email: target_label ?? t('someone') }),
  },
  'invite.resend': {
    label: t('Invitation resent'),
    sentence: ({ target_label }) =>
      t('resent the invitation to {email}', { email: target_label ?? t('someone') }),
  },
  'platform_key.create': {
    label: t('Platform key created'),
    sentence: ({ target_label: name }) =>
      name === null
        ? t('created the platform key')
        : t('created the platform key “{name}”', { name }),
  },
  'platform_key.revoke': {
    label: t('Platform key revoked'),
    sentence: ({ target_label: name }) =>
      name === null
        ? t('revoked the platform key')
        : t('revoked the platform key “{name}”', { name }),
  },
  'webhook.test': {
    label: t('Test event sent'),
    sentence: () => t('sent a test event to the webhook'),
  },
  'webhook.redeliver': {
    label: t('Event redelivered'),
    sentence: ({ details }) =>
      t('redelivered an event ({type}) to the webhook', { type: textOf(details.type) }),
  },
};
