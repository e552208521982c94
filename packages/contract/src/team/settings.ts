import * as z from 'zod/mini';
import { get, managed, patch } from '../endpoint.ts';
import { namedObject, timeZone } from '../primitives.ts';

/** The allowed range for releasing inactive claims, in hours. */
export const RELEASE_AFTER_MIN_HOURS = 1;
export const RELEASE_AFTER_MAX_HOURS = 720;

/** The upper limit of mass messages per fan and day. */
export const MASS_MESSAGES_MAX_A_DAY = 20;

/** The allowed range for stopping an idle clock, in minutes. */
export const CLOCK_IDLE_MIN_MINUTES = 5;
export const CLOCK_IDLE_MAX_MINUTES = 240;

const hour = z.int().check(z.gte(0), z.lte(23));

/** The team's rules. Each can be changed separately. */
const rules = {
  /** Replying to an unclaimed conversation claims it. */
  claim_on_first_reply: z.boolean(),
  /** The hours without a message from its holder after which a claim is released; null for never. */
  release_claims_after_hours: z.nullable(
    z.int().check(z.gte(RELEASE_AFTER_MIN_HOURS), z.lte(RELEASE_AFTER_MAX_HOURS)),
  ),
  /** A fan's message reopens an archived conversation. */
  reopen_on_fan_message: z.boolean(),
  /** The maximum number of mass messages that a fan gets on one day of their time zone. */
  mass_messages_a_day: z.int().check(z.gte(1), z.lte(MASS_MESSAGES_MAX_A_DAY)),
  /** No mass message is sent between these hours of the fan's time zone. Both are null if there are no quiet hours. */
  quiet_from_hour: z.nullable(hour),
  quiet_until_hour: z.nullable(hour),
  /** The team's time zone, in which shifts repeat. Also used for fans whose time zone is unknown. */
  time_zone: timeZone,
  /** How often staff are paid. A change takes effect with the period after the last closed one. */
  earning_period: z.enum(['weekly', 'two_weekly', 'monthly']),
  /** The idle minutes after which an admin's clock stops. */
  clock_idle_minutes: z.int().check(z.gte(CLOCK_IDLE_MIN_MINUTES), z.lte(CLOCK_IDLE_MAX_MINUTES)),
  /** Outside their planned shifts, admins below manager can only read. */
  access_only_on_shift: z.boolean(),
};

export const TeamSettings = namedObject('TeamSettings', {
  /** Rises by one with each change. */
  version: z.int(),
  ...rules,
});
export type TeamSettings = z.infer<typeof TeamSettings>;

export const TeamSettingsChange = z.strictObject({
  /** The version that the change is based on. */
  version: z.int(),
  ...z.partial(z.object(rules)).shape,
});
export type TeamSettingsChange = z.infer<typeof TeamSettingsChange>;

const SETTINGS = '/api/admin/settings';
const replies = { 200: z.object({ data: TeamSettings }) };

export const getSettings = get(SETTINGS, {
  ...managed,
  replies,
  summary: 'The team’s settings.',
});

export const updateSettings = patch(SETTINGS, {
  ...managed,
  replies,
  summary:
    'Change some of the team’s settings, with immediate effect. If a teammate has changed them since the given version: 409 with the stored settings.',
  body: TeamSettingsChange,
  errors: ['settings_conflict'],
});
