import * as z from 'zod/mini';
import { del, get, patch, post } from '../endpoint.ts';
import {
  dataOf,
  instant,
  lookupId,
  namedObject,
  sentence,
  text,
  timestamp,
} from '../primitives.ts';
import { StaffMember } from './staff.ts';

/** How long before and after a planned shift its admin can act, in minutes. */
export const SHIFT_MARGIN_MINUTES = 15;
/** The length of a planned shift. */
export const SHIFT_MIN_MINUTES = 15;
export const SHIFT_MAX_HOURS = 24;
export const SHIFT_NOTE_MAX_CHARS = 500;
/** The longest period that one call lists. */
export const SHIFTS_MAX_DAYS = 62;
/** The limits of a pattern. */
export const SERIES_MAX_WEEKS = 53;
export const SERIES_MAX_SHIFTS = 400;
/** How many minutes a granted request adds. */
export const EXTENSION_MINUTES = 30;
/** How long a request for more time can be granted, in minutes. */
export const EXTENSION_OPEN_MINUTES = 60;

/** A planned shift. */
export const Shift = namedObject('Shift', {
  id: z.string(),
  admin_id: z.string(),
  starts_at: timestamp,
  ends_at: timestamp,
  /** Empty for the shifts of others, except for managers. */
  note: z.string(),
  /** The same for all shifts of a pattern; null for a single one. */
  series_id: z.nullable(z.string()),
});
export type Shift = z.infer<typeof Shift>;

/** Time on the clock. */
export const Clock = namedObject('Clock', {
  id: z.string(),
  admin_id: z.string(),
  started_at: timestamp,
  /** Null while it runs. A clock that stopped without acts ended at the last one. */
  ended_at: z.nullable(timestamp),
  stopped_by: z.nullable(z.enum(['admin', 'idle', 'removed'])),
});
export type Clock = z.infer<typeof Clock>;

/** A request for more time. */
export const ShiftExtension = namedObject('ShiftExtension', {
  id: z.string(),
  admin: StaffMember,
  asked_at: timestamp,
  /** Until when the admin can act; null until it is granted. */
  until: z.nullable(timestamp),
});
export type ShiftExtension = z.infer<typeof ShiftExtension>;

/** Which shifts of a series a change concerns. */
export const ShiftScope = z.enum(['this', 'following', 'all']);
export type ShiftScope = z.infer<typeof ShiftScope>;

const PATH = '/api/shifts';
const managed = { auth: 'admin', permission: 'can_manage_admins' } as const;
const own = { auth: 'admin', isWork: false } as const;
const note = text(SHIFT_NOTE_MAX_CHARS).check(z.trim());
const scope = z._default(ShiftScope, 'this');

/** A period of at most {@link SHIFTS_MAX_DAYS}: from an instant until before another. */
export const shiftRange = z.object({ from: instant, to: instant }).check(
  z.refine(
    ({ from, to }) => {
      const length = Date.parse(to) - Date.parse(from);
      return length > 0 && length <= SHIFTS_MAX_DAYS * 86_400_000;
    },
    {
      error: sentence(`Choose a period of at most ${SHIFTS_MAX_DAYS} days`),
      path: ['to'],
    },
  ),
);

export const listShifts = get(PATH, {
  auth: 'admin',
  summary: `The planned shifts in a period of at most ${SHIFTS_MAX_DAYS} days, earliest first, with the time on the clock that the caller may see.`,
  query: shiftRange,
  replies: {
    200: z.object({
      data: z.array(Shift),
      /** The caller’s own; everyone’s for managers. */
      clocks: z.array(Clock),
      /** Those who have a shift or a clock in the period, or can get one. */
      staff: z.array(StaffMember),
      /** The team’s time zone, in which patterns repeat. */
      time_zone: z.string(),
    }),
  },
});

export const createShift = post(PATH, {
  ...managed,
  summary: `Plan a shift, or with \`repeat\` a pattern of at most ${SERIES_MAX_SHIFTS} in ${SERIES_MAX_WEEKS} weeks: all of them or none. Audited.`,
  body: z.strictObject({
    admin_id: lookupId,
    starts_at: instant,
    ends_at: instant,
    note: z._default(note, ''),
    repeat: z.optional(
      z.strictObject({
        /** A daily or weekly recurrence rule (RFC 5545), such as `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=20`, in the team’s time zone. */
        rule: z.string().check(z.regex(/^[A-Z0-9=;,+-]{1,200}$/, 'Must be a recurrence rule')),
        /** Days without a shift, as `YYYY-MM-DD`. */
        except: z._default(z.array(z.iso.date()).check(z.maxLength(100)), []),
      }),
    ),
  }),
  replies: {
    201: z.object({
      /** The first of the pattern. */
      data: Shift,
      /** How many shifts were planned. */
      count: z.int(),
    }),
  },
  errors: ['shift_conflict', 'admin_not_found', 'admin_inactive'],
});

export const updateShift = patch(`${PATH}/{id}`, {
  ...managed,
  summary:
    'Change a shift; with a scope, also others of its series: by as much on the clock of the team’s time zone. Audited.',
  params: z.object({ id: lookupId }),
  body: z.strictObject({
    admin_id: z.optional(lookupId),
    starts_at: z.optional(instant),
    ends_at: z.optional(instant),
    note: z.optional(note),
    scope,
  }),
  replies: { 200: z.object({ data: Shift }) },
  errors: ['shift_conflict', 'shift_not_found', 'admin_not_found', 'admin_inactive'],
});

export const deleteShift = del(`${PATH}/{id}`, {
  ...managed,
  summary: 'Delete a shift; with a scope, also others of its series. Audited.',
  params: z.object({ id: lookupId }),
  query: z.object({ scope }),
  replies: { 200: dataOf({ deleted: z.int() }) },
  errors: ['shift_not_found'],
});

export const clockIn = post(`${PATH}/clock-in`, {
  ...own,
  summary: 'Start the caller’s clock.',
  replies: { 201: z.object({ data: Clock }) },
  errors: ['already_clocked_in'],
});

export const clockOut = post(`${PATH}/clock-out`, {
  ...own,
  summary: 'Stop the caller’s clock.',
  replies: { 200: z.object({ data: Clock }) },
  errors: ['not_clocked_in'],
});

export const shiftNow = get(`${PATH}/now`, {
  auth: 'admin',
  summary: 'The caller’s clock, until when they can act, and the requests that they can grant.',
  replies: {
    200: dataOf({
      /** The running clock, or the newest one of the last day. */
      clock: z.nullable(Clock),
      idle_minutes: z.int(),
      access: z.object({
        /** Whether the caller can act only on a shift. */
        is_limited: z.boolean(),
        /** Until when the caller can act; null if they can’t, or always can. */
        until: z.nullable(timestamp),
      }),
      /** The caller’s own request that is not granted yet. */
      asked: z.nullable(ShiftExtension),
      /** Requests of others that the caller can grant. */
      requests: z.array(ShiftExtension),
    }),
  },
});

export const askForTime = post(`${PATH}/extensions`, {
  ...own,
  summary: `Ask managers for ${EXTENSION_MINUTES} more minutes. Asking again renews an open request. Audited.`,
  replies: { 201: z.object({ data: ShiftExtension }) },
});

export const grantTime = post(`${PATH}/extensions/{id}/grant`, {
  ...managed,
  summary: `Grant ${EXTENSION_MINUTES} more minutes. Granting again changes nothing. Audited.`,
  params: z.object({ id: lookupId }),
  replies: { 200: z.object({ data: ShiftExtension }) },
  errors: ['extension_not_found'],
});
