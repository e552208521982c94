import { rich } from '@stagedoor/browser/rich-text';
import { t } from '../../lib/text/i18n.ts';
import { formatMinutes } from '../../lib/text/times.ts';
import { formatHour } from '../settings/format-hour.ts';
import type { Rules } from '../settings/queries.ts';
import { type ActionTexts, type EntryFields, list, textOf } from './action-texts.ts';

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
  'settings.update': {
    label: t('Team rules changed'),
    sentence: (actor, values, { details }) =>
      rich('{actor} changed the team’s rules: {rules}', actor, {
        ...values,
        rules: changedRules(details),
      }),
  },
  'guard_rails.update': {
    label: t('Guard rails changed'),
    sentence: (actor) =>
      rich('{actor} changed which words and prices are allowed in messages', actor),
  },
  'creator.update_name': {
    label: t('Creator’s name changed'),
    sentence: (actor, values, { details }) =>
      rich('{actor} changed the creator’s name from “{from}” to “{to}”', actor, {
        ...values,
        from: textOf(details.from),
        to: textOf(details.to),
      }),
  },
  'creator.update_avatar': {
    label: t('Profile picture changed'),
    sentence: (actor) => rich('{actor} changed the profile picture', actor),
  },
  'invite.create': {
    label: t('Invitation sent'),
    sentence: (actor, values) => rich('{actor} invited {email} to the platform', actor, values),
  },
  'invite.resend': {
    label: t('Invitation resent'),
    sentence: (actor, values) => rich('{actor} resent the invitation to {email}', actor, values),
  },
  'platform_key.create': {
    label: t('Platform key created'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} created the platform key', actor)
        : rich('{actor} created the platform key “{name}”', actor, values),
  },
  'platform_key.revoke': {
    label: t('Platform key revoked'),
    sentence: (actor, values, { target_label: name }) =>
      name === null
        ? rich('{actor} revoked the platform key', actor)
        : rich('{actor} revoked the platform key “{name}”', actor, values),
  },
  'webhook.test': {
    label: t('Test event sent'),
    sentence: (actor) => rich('{actor} sent a test event to the webhook', actor),
  },
  'webhook.redeliver': {
    label: t('Event redelivered'),
    sentence: (actor, values, { details }) =>
      rich('{actor} redelivered an event ({type}) to the webhook', actor, {
        ...values,
        type: textOf(details.type),
      }),
  },
};
