import * as z from 'zod/mini';
import { del, get, managed, patch, post } from '../endpoint.ts';
import {
  byId,
  dataOf,
  instant,
  lookupId,
  namedObject,
  pageOf,
  sentence,
  text,
  timestamp,
} from '../primitives.ts';
import { StaffMember } from './staff.ts';

/** How many minutes before and after a planned shift its admin can also act. */
export const SHIFT_MARGIN_MINUTES = 15;
/** The minimum and maximum length of a planned shift. */
export const SHIFT_MIN_MINUTES = 15;
export const SHIFT_MAX_HOURS = 24;
export const SHIFT_NOTE_MAX_CHARS = 500;
/** The longest period that one call lists, in days. */
export const SHIFTS_MAX_DAYS = 62;
/** The maximum duration of a pattern in weeks, and its maximum number of shifts. */
export const SERIES_MAX_WEEKS = 53;
export const SERIES_MAX_SHIFTS = 400;
/** How many minutes a granted request adds. */
export const EXTENSION_MINUTES = 30;
/** The maximum number of shifts and clocks with figures in one reply. */
export const SHIFT_FIGURES_MAX = 200;
export const FIGURE_PAGE_MAX = 200;
/** The minutes after which a request for more time can no longer be granted. */
export const EXTENSION_OPEN_MINUTES = 60;
/** The minimum time until a repeated request notifies managers again, in minutes. */
export const EXTENSION_AGAIN_MINUTES = 5;

/** A planned shift. */
export const Shift = namedObject('Shift', {
  id: z.string(),
  admin_id: z.string(),
  starts_at: timestamp,
  ends_at: timestamp,
  /** Empty if the shift is someone else's, unless the caller is a manager. */
  note: z.string(),
  /** Identifies the pattern to which the shift belongs; null for a single shift. */
  series_id: z.nullable(z.string()),
});
export type Shift = z.infer<typeof Shift>;

/** A period in which an admin was on the clock. */
export const Clock = namedObject('Clock', {
  id: z.string(),
  admin_id: z.string(),
  started_at: timestamp,
  /** Null while it runs. A clock that was stopped for idling ends at the admin's last act. */
  ended_at: z.nullable(timestamp),
  stopped_by: z.nullable(z.enum(['admin', 'idle', 'removed'])),
});
export type Clock = z.infer<typeof Clock>;

/** A request for more time. */
export const ShiftExtension = namedObject('ShiftExtension', {
  id: z.string(),
  admin: StaffMember,
  asked_at: timestamp,
  /** Until when the admin can act; null until the request is granted. */
  until: z.nullable(timestamp),
});
export type ShiftExtension = z.infer<typeof ShiftExtension>;

/**
 * An admin's sales and replies in a period. Amounts are in USD. As in the analytics, a sale counts when it is paid, for the admin
 * who sent the offer or started the mass message. A rate is null if there is nothing to divide by.
 */
export const StaffFigures = namedObject('StaffFigures', {
  /** All sales, including those refunded later. */
  sales: z.number(),
  sales_count: z.int(),
  /** Excludes refunded sales. */
  net_sales: z.number(),
  net_sales_count: z.int(),
  /** Products offered at a price. */
  offers: z.int(),
  /** How many of these offers were paid, in the period or later, and not refunded. */
  unlocked: z.int(),
  /** Unlocked offers per hundred offers. */
  unlock_rate: z.nullable(z.number()),
  /** Messages sent, except mass messages. */
  messages: z.int(),
  /** Messages that ended a fan’s wait. */
  replies: z.int(),
  /** The number of fans who got these replies. */
  fans_answered: z.int(),
  /** Seconds from a fan’s first unanswered message to the reply. */
  answer_time_p50: z.nullable(z.number()),
  answer_time_p90: z.nullable(z.number()),
  /** Time on the clock. */
  clocked_seconds: z.int(),
  /** `sales` per hour on the clock. */
  sales_per_hour: z.nullable(z.number()),
  /** `messages` divided by `sales_count`. */
  messages_per_sale: z.nullable(z.number()),
});
export type StaffFigures = z.infer<typeof StaffFigures>;

/** The figures of a planned shift, or of a period on the clock. */
export const ShiftFigures = namedObject('ShiftFigures', {
  kind: z.enum(['planned', 'clock']),
  /** The id of the shift or clock. */
  id: z.string(),
  starts_at: timestamp,
  /** Exclusive. Null while the clock runs. */
  ends_at: z.nullable(timestamp),
  figures: StaffFigures,
});
export type ShiftFigures = z.infer<typeof ShiftFigures>;

/**
 * A figure whose messages can be listed. The others are computed from these: `sales_per_hour` from `sales`, `messages_per_sale`
 * from `messages` and `sales`, the answer times from `replies`, and `unlock_rate` from `offers` and `unlocked`.
 */
export const MessageFigure = z.enum([
  'sales',
  'net_sales',
  'offers',
  'unlocked',
  'messages',
  'replies',
  'fans_answered',
]);
export type MessageFigure = z.infer<typeof MessageFigure>;

/** A message that a figure counts, listed once for each offer or sale. */
export const FigureMessage = namedObject('FigureMessage', {
  /** When the message was sent or, for a sale, when the offer was paid. */
  at: timestamp,
  message_id: z.string(),
  conversation_id: z.string(),
  /** Null once the message is deleted or its fan erased. */
  message: z.nullable(
    z.object({
      /** The beginning of its text. */
      content: z.string(),
      fan_name: z.string(),
    }),
  ),
  /** The offered product and its price. */
  offer: z.nullable(z.object({ title: z.string(), price: z.number() })),
  /** When the sale was refunded; null if it wasn't, or for other figures. */
  refunded_at: z.nullable(timestamp),
  /** For a reply: how long the fan had waited. */
  waited_seconds: z.nullable(z.number()),
});
export type FigureMessage = z.infer<typeof FigureMessage>;

/** Which shifts of a series a change applies to. */
export const ShiftScope = z.enum(['this', 'following', 'all']);
export type ShiftScope = z.infer<typeof ShiftScope>;

const PATH = '/api/shifts';
const own = { auth: 'admin', isWork: false } as const;
const note = text(SHIFT_NOTE_MAX_CHARS).check(z.trim());
const scope = z._default(ShiftScope, 'this');

const period = { from: instant, to: instant };
/** Checks that a period, whose end is exclusive, isn't empty and has at most {@link SHIFTS_MAX_DAYS} days. */
const isShort = z.refine<{ from: string; to: string }>(
  ({ from, to }) => {
    const length = Date.parse(to) - Date.parse(from);
    return length > 0 && length <= SHIFTS_MAX_DAYS * 86_400_000;
  },
  {
    error: sentence(`Choose an end after the start, at most ${SHIFTS_MAX_DAYS} days later`),
    path: ['to'],
  },
);
export const shiftRange = z.object(period).check(isShort);

export const listShifts = get(PATH, {
  auth: 'admin',
  summary: `The planned shifts in a period of at most ${SHIFTS_MAX_DAYS} days, earliest first, and the clocks that the caller may see.`,
  query: shiftRange,
  replies: {
    200: z.object({
      data: z.array(Shift),
      /** The caller’s own clocks; for managers, everyone’s. */
      clocks: z.array(Clock),
      /** Admins who have a shift or a clock in the period, or to whom a shift can be assigned. */
      staff: z.array(StaffMember),
      /** The team’s time zone, in which patterns repeat. */
      time_zone: z.string(),
    }),
  },
});

export const createShift = post(PATH, {
  ...managed,
  summary: `Plan a shift or, with \`repeat\`, a pattern of at most ${SERIES_MAX_SHIFTS} shifts in ${SERIES_MAX_WEEKS} weeks. If one of them can’t be planned, none is. Audited.`,
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
      /** The first shift of the pattern. */
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
    'Change a shift and, depending on `scope`, others in its series. Those move by the same amount in the team’s local time. Audited.',
  params: byId,
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
  summary: 'Delete a shift and, depending on `scope`, others in its series. Audited.',
  params: byId,
  query: z.object({ scope }),
  replies: { 200: dataOf({ deleted: z.int() }) },
  errors: ['shift_not_found'],
});

export const clockIn = post(`${PATH}/clock-in`, {
  auth: 'admin',
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
  summary:
    'The caller’s clock, the time until which they can act, and the requests for more time that they can grant.',
  replies: {
    200: dataOf({
      /** The caller's running clock, else their newest clock of the last day, or null. */
      clock: z.nullable(Clock),
      idle_minutes: z.int(),
      access: z.object({
        /** Whether the caller can act only during a shift. */
        is_limited: z.boolean(),
        /** Until when the caller can act; null if they can’t act now, or can always act. */
        until: z.nullable(timestamp),
      }),
      /** The caller’s request that has not been granted yet. */
      asked: z.nullable(ShiftExtension),
      /** Requests of others that the caller can grant. */
      requests: z.array(ShiftExtension),
    }),
  },
});

export const askForTime = post(`${PATH}/extensions`, {
  ...own,
  summary: `Ask managers for ${EXTENSION_MINUTES} more minutes. Asking again renews an open request that is at least ${EXTENSION_AGAIN_MINUTES} minutes old; a newer one stays unchanged. Audited.`,
  replies: { 201: z.object({ data: ShiftExtension }) },
});

export const grantTime = post(`${PATH}/extensions/{id}/grant`, {
  ...managed,
  summary: `Grant ${EXTENSION_MINUTES} more minutes. Granting again changes nothing. Audited.`,
  params: byId,
  replies: { 200: z.object({ data: ShiftExtension }) },
  errors: ['extension_not_found'],
});

export const shiftFigures = get(`${PATH}/figures`, {
  auth: 'admin',
  summary: `The caller’s sales and reply figures for a period of at most ${SHIFTS_MAX_DAYS} days; for those who can manage admins, everyone’s.`,
  query: z.object({ ...period, admin_id: z.optional(lookupId) }).check(isShort),
  replies: {
    200: z.object({
      /** One entry per admin with figures or clock time in the period, highest net sales first. Includes the requested admin. */
      data: z.array(z.object({ admin: StaffMember, figures: StaffFigures })),
      /**
       * If `data` is about one admin: the newest shifts and clocks that overlap the period, at most `SHIFT_FIGURES_MAX`. Their
       * figures cover the whole shift or clock so far, not only the part in the period.
       */
      shifts: z.array(ShiftFigures),
    }),
  },
  errors: ['permission_required', 'admin_not_found'],
});

export const listFigureMessages = get(`${PATH}/figures/messages`, {
  auth: 'admin',
  summary:
    'The messages behind one of the caller’s figures for a period, newest first; for those who can manage admins, behind anyone’s.',
  query: z
    .object({
      ...period,
      /** Default: the caller. */
      admin_id: z.optional(lookupId),
      figure: MessageFigure,
      cursor: z.optional(text(500)),
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(FIGURE_PAGE_MAX)), 50),
    })
    .check(isShort),
  replies: { 200: pageOf(FigureMessage) },
  errors: ['permission_required', 'admin_not_found'],
});
