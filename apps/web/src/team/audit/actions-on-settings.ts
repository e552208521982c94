import { t } from '../../lib/text/i18n.ts';
import { formatMinutes } from '../../lib/text/times.ts';
import { formatHour } from '../settings/format-hour.ts';
import type { Rules } from '../settings/queries.ts';
import { type ActionTexts, type EntryFields, list, textOf } from './action-texts.ts';
import { ifNamed, phrase, textsOf } from './phrase.ts';

/** Returns the changed team rules with their new values. */
function changedRules(details: EntryFields['details']): string {
  const rules = Object.entries(details)
    .filter(([rule]) => rule !== 'was')
    .map(
      ([name, value]) => RULES[name]?.(value) ?? `${name.replaceAll('_', ' ')}: ${String(value)}`,
    );
  // Quiet hours are two rules. When off, both have the same text, which must appear only once.
  return list.format(new Set(rules));
}

const PAY_PERIODS: Readonly<Record<string, string>> = {
  weekly: t('pay period: weekly'),
  two_weekly: t('pay period: every two weeks'),
  monthly: t('pay period: monthly'),
};

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
  mass_messages_a_day: (value) => t('mass messages a day: {count}', { count: Number(value) }),
  quiet_from_hour: (value) =>
    typeof value === 'number'
      ? t('quiet hours: from {time}', { time: formatHour(value) })
      : t('quiet hours: off'),
  quiet_until_hour: (value) =>
    typeof value === 'number'
      ? t('quiet hours: until {time}', { time: formatHour(value) })
      : t('quiet hours: off'),
  time_zone: (value) => t('team time zone: {zone}', { zone: textOf(value).replaceAll('_', ' ') }),
  earning_period: (value) => PAY_PERIODS[textOf(value)] ?? textOf(value),
  clock_idle_minutes: (value) =>
    t('stop idle clocks: after {time}', { time: formatMinutes(Number(value)) }),
  access_only_on_shift: (value) =>
    value === true ? t('access only on shift: on') : t('access only on shift: off'),
} satisfies Record<keyof Rules, (value: unknown) => string>;

/** The sentences for actions on team rules, the creator, invitations and the platform. */
export const ACTIONS_ON_SETTINGS: ActionTexts = {
  'settings.update': [
    t('Team rules changed'),
    phrase('{actor} changed the team’s rules: {rules}', ({ details }) => ({
      rules: changedRules(details),
    })),
  ],
  'guard_rails.update': [
    t('Guard rails changed'),
    phrase('{actor} changed which words and prices are allowed in messages'),
  ],
  'creator.update_name': [
    t('Creator’s name changed'),
    phrase('{actor} changed the creator’s name from “{from}” to “{to}”', textsOf('from', 'to')),
  ],
  'creator.update_avatar': [
    t('Profile picture changed'),
    phrase('{actor} changed the profile picture'),
  ],
  'invite.create': [t('Invitation sent'), phrase('{actor} invited {email} to the platform')],
  'invite.resend': [t('Invitation resent'), phrase('{actor} resent the invitation to {email}')],
  'platform_key.create': [
    t('Platform key created'),
    ifNamed(
      phrase('{actor} created the platform key “{name}”'),
      phrase('{actor} created the platform key'),
    ),
  ],
  'platform_key.revoke': [
    t('Platform key revoked'),
    ifNamed(
      phrase('{actor} revoked the platform key “{name}”'),
      phrase('{actor} revoked the platform key'),
    ),
  ],
  'webhook.test': [t('Test event sent'), phrase('{actor} sent a test event to the webhook')],
  'webhook.redeliver': [
    t('Event redelivered'),
    phrase('{actor} redelivered an event ({type}) to the webhook', textsOf('type')),
  ],
};
