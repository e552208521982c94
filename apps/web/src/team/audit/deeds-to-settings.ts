import { t } from '../../lib/text/i18n.ts';
import { type Deeds, list, type Told, textOf } from './telling.ts';

/** Returns the changed team rules with their new values. */
function changedRules(details: Told['details']): string {
  const rules = Object.entries(details)
    .filter(([rule]) => rule !== 'was')
    .map(([name, value]) => {
      const rule = RULES[name] ?? name.replaceAll('_', ' ');
      if (typeof value === 'number') return t('{rule} {hours} h', { rule, hours: value });
      return value === true ? t('{rule} on', { rule }) : t('{rule} off', { rule });
    });
  return list.format(rules);
}

const RULES: Readonly<Record<string, string>> = {
  claim_on_first_reply: t('claim on first reply'),
  release_claims_after_hours: t('release claims without activity'),
  reopen_on_fan_message: t('reopen archived conversations'),
};

/** The sentences for actions on team rules, the creator's picture, invitations and the platform. */
export const DEEDS_TO_SETTINGS: Deeds = {
  'settings.update': {
    label: t('Team rules changed'),
    tell: ({ details }) => t('changed the team’s rules: {rules}', { rules: changedRules(details) }),
  },
  'guard_rails.update': {
    label: t('Guard rails changed'),
    tell: () => t('changed which words and prices are allowed in messages'),
  },
  'creator.update_avatar': {
    label: t('Profile picture changed'),
    tell: () => t('changed the profile picture'),
  },
  'invite.create': {
    label: t('Invitation sent'),
    tell: ({ target_label }) =>
      t('invited {email} to the platform', { email: target_label ?? t('someone') }),
  },
  'invite.resend': {
    label: t('Invitation sent again'),
    tell: ({ target_label }) =>
      t('sent the invitation of {email} again', { email: target_label ?? t('someone') }),
  },
  'platform_key.create': {
    label: t('Platform key made'),
    tell: ({ target_label: name }) =>
      name === null ? t('made the platform key') : t('made the platform key “{name}”', { name }),
  },
  'platform_key.revoke': {
    label: t('Platform key revoked'),
    tell: ({ target_label: name }) =>
      name === null
        ? t('revoked the platform key')
        : t('revoked the platform key “{name}”', { name }),
  },
  'webhook.test': {
    label: t('Test event sent'),
    tell: () => t('sent a test event to the webhook'),
  },
  'webhook.redeliver': {
    label: t('Event delivered again'),
    tell: ({ details }) =>
      t('had an event ({type}) delivered to the webhook again', { type: textOf(details.type) }),
  },
};
