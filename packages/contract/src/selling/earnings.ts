import * as z from 'zod/mini';
import { get, managed, post } from '../endpoint.ts';
import {
  byId,
  instant,
  lookupId,
  namedObject,
  pageOf,
  requiredText,
  sentence,
  text,
  timestamp,
} from '../primitives.ts';
import { AdminRole } from '../team/auth.ts';

export const REASON_MAX_CHARS = 1_000;
export const EARNINGS_PAGE_MAX = 200;
export const CONTESTS_PAGE_MAX = 200;
export const PERIODS_PAGE_MAX = 60;
/** The highest hourly rate, in USD. */
export const HOURLY_RATE_MAX = 1_000;

/** Returns a schema for a number with at most two decimals. */
const hundredths = (min: number, max: number, error: string) =>
  z.number(sentence(error)).check(
    z.gte(min, sentence(error)),
    z.lte(max, sentence(error)),
    z.refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, sentence(error)),
  );
const money = hundredths(-100_000_000, 100_000_000, 'Please enter a valid amount');

/** Who is credited with a sale: the sender of the offer, or everyone on the clock at the time of payment, in equal parts. */
export const Credit = z.enum(['sender', 'shift']);
export type Credit = z.infer<typeof Credit>;

const terms = {
  /** Percent of net sales. */
  percentage: z._default(hundredths(0, 100, 'Enter a percentage from 0 to 100'), 0),
  /** USD. */
  hourly_rate: z._default(
    hundredths(0, HOURLY_RATE_MAX, 'Enter an hourly rate from 0 to 1,000'),
    0,
  ),
  credit: z._default(Credit, 'sender'),
};
/** Exactly one of `admin_id` and `role` is set. */
const target = {
  admin_id: z.optional(z.nullable(lookupId)),
  role: z.optional(z.nullable(AdminRole)),
};
const hasOneTarget = (rule: { admin_id?: unknown; role?: unknown }) =>
  (rule.admin_id == null) !== (rule.role == null);
const NO_TARGET = { path: ['role'], error: sentence('Choose a teammate or a role') };

export const CommissionRule = namedObject('CommissionRule', {
  version: z.int(),
  admin_id: z.nullable(z.string()),
  admin_codename: z.nullable(z.string()),
  role: z.nullable(AdminRole),
  percentage: z.number(),
  hourly_rate: z.number(),
  credit: Credit,
  effective_at: timestamp,
});
export type CommissionRule = z.infer<typeof CommissionRule>;

export const EarningKind = z.enum(['sale', 'refund', 'hours', 'adjustment']);
export type EarningKind = z.infer<typeof EarningKind>;

/** What a line was booked for. Unlike the kind, it doesn't depend on whether the period was already closed. */
export const EarningSource = z.enum(['sale', 'refund', 'hours', 'contest']);
export type EarningSource = z.infer<typeof EarningSource>;

/** One line of the ledger. Lines are never changed or deleted. */
export const BookedLine = namedObject('BookedLine', {
  id: z.string(),
  seq: z.int(),
  admin_id: z.string(),
  admin_codename: z.string(),
  /**
   * A refund has the time of its sale, as in the analytics. A line for a period that is already closed is booked as an adjustment
   * and has the time of the booking.
   */
  at: timestamp,
  kind: EarningKind,
  source: EarningSource,
  /** In USD. `base_amount`, also in USD, is the net sales credited to the admin. */
  amount: z.number(),
  base_amount: z.number(),
  /** A percentage; for hours, USD an hour. Null without a rule, and for amounts that a contest moved. */
  rate: z.nullable(z.number()),
  rule_version: z.nullable(z.int()),
  purchase_id: z.nullable(z.string()),
  message_id: z.nullable(z.string()),
  shift_id: z.nullable(z.string()),
  note: z.nullable(z.string()),
  previous_hash: z.string(),
  hash: z.string(),
  /** How the amount was calculated from the rule, as text. */
  arithmetic: z.string(),
  /** For a sale: the number of admins who share it. For hours: the time on the clock. */
  shared_by: z.int(),
  seconds: z.nullable(z.int()),
  message: z.nullable(
    z.object({ conversation_id: z.string(), content: z.string(), sent_at: timestamp }),
  ),
  offer: z.nullable(z.object({ product_id: z.string(), title: z.string(), price: z.number() })),
  payment: z.nullable(
    z.object({
      reference: z.string(),
      amount: z.number(),
      purchased_at: timestamp,
      refunded_at: z.nullable(timestamp),
    }),
  ),
  rule: z.nullable(CommissionRule),
});
export type BookedLine = z.infer<typeof BookedLine>;

/** An admin's objection to a line. */
export const EarningContest = namedObject('EarningContest', {
  id: z.string(),
  /** The contested line's id; null if the caller may not see the line. */
  line_id: z.nullable(z.string()),
  admin_id: z.string(),
  admin_codename: z.string(),
  reason: z.string(),
  created_at: timestamp,
  state: z.enum(['open', 'accepted', 'rejected']),
  answer: z.nullable(z.string()),
  answered_by: z.nullable(z.string()),
  answered_at: z.nullable(timestamp),
  /** The contested line; null if the caller may not see it. */
  line: z.nullable(BookedLine),
  /** Each admin's current part of the line: the caller's own, or everyone's for those who can manage admins. */
  parts: z.array(
    z.object({ admin_id: z.string(), admin_codename: z.string(), amount: z.number() }),
  ),
});
export type EarningContest = z.infer<typeof EarningContest>;

/** A line with its latest contest. */
export const EarningLine = namedObject('EarningLine', {
  ...BookedLine.shape,
  contest: z.nullable(EarningContest),
});
export type EarningLine = z.infer<typeof EarningLine>;

const sums = { amount: z.number(), base_amount: z.number(), seconds: z.int() };
export const EarningTotals = namedObject('EarningTotals', {
  ...sums,
  sales: z.number(),
  refunds: z.number(),
  hours: z.number(),
  adjustments: z.number(),
  /**
   * Net sales in the range that aren't booked yet, because it isn't certain yet which admins share them; 0 with an
   * `admin_id`. `base_amount` and `undecided` add up to the net sales in the analytics.
   */
  undecided: z.number(),
});
export type EarningTotals = z.infer<typeof EarningTotals>;

const AdminSum = z.object({ admin_id: z.string(), admin_codename: z.string(), ...sums });

/** `id` is the day on which the period starts in the team's time zone, or a later day if an earlier period has that id. */
export const EarningPeriod = namedObject('EarningPeriod', {
  id: z.string(),
  starts_at: timestamp,
  /** Exclusive. */
  ends_at: timestamp,
  closed_at: z.nullable(timestamp),
  /** Whether it can be closed now. */
  can_close: z.boolean(),
  admins: z.array(AdminSum),
});
export type EarningPeriod = z.infer<typeof EarningPeriod>;

const EARNINGS = '/api/earnings';
const range = { from: z.optional(instant), to: z.optional(instant) };

export const listEarnings = get(EARNINGS, {
  auth: 'admin',
  summary:
    'Lines of the ledger, newest first, with everything that explains them: the caller’s own; for those who can manage admins, everyone’s.',
  query: z.object({
    ...range,
    admin_id: z.optional(lookupId),
    cursor: z.optional(text(500)),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(EARNINGS_PAGE_MAX)), 50),
  }),
  replies: {
    200: z.object({
      data: z.array(EarningLine),
      /** Totals of all lines in the range, not only of this page. */
      totals: EarningTotals,
      next_cursor: z.nullable(z.string()),
    }),
  },
  errors: ['permission_required'],
});

export const contestEarning = post(`${EARNINGS}/{line}/contests`, {
  isWork: false,
  auth: 'admin',
  summary:
    'Contest a line, as its admin or as a teammate who claims it. With a purchase’s id, contests each line of that sale that earned something, or else each line, and returns the first contest. Managers are notified.',
  params: z.object({ line: lookupId }),
  body: z.strictObject({ reason: requiredText(REASON_MAX_CHARS, 'Please enter a reason') }),
  replies: { 201: z.object({ data: EarningContest }) },
  errors: ['earning_not_found', 'already_contested', 'sale_refunded', 'sale_undecided'],
});

const cursor = z.optional(text(500));

export const listContests = get(`${EARNINGS}/contests`, {
  auth: 'admin',
  summary:
    'The contests that the caller made or that concern the caller’s lines; for those who can manage admins, everyone’s or one admin’s. Open ones first, then newest first.',
  query: z.object({
    admin_id: z.optional(lookupId),
    cursor,
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(CONTESTS_PAGE_MAX)),
      CONTESTS_PAGE_MAX,
    ),
  }),
  replies: { 200: pageOf(EarningContest) },
  errors: ['permission_required'],
});

const answered = {
  ...managed,
  params: byId,
  replies: { 200: z.object({ data: EarningContest }) },
} as const;

export const acceptContest = post(`${EARNINGS}/contests/{id}/accept`, {
  ...answered,
  summary:
    'Accept a contest and set each admin’s part of the line’s amount. Each part is between 0 and that amount, and the parts add up to it. Adjusting lines are booked in the line’s period, or in the current one if that is closed.',
  body: z.strictObject({
    parts: z
      .array(z.strictObject({ admin_id: lookupId, amount: money }))
      .check(z.minLength(1), z.maxLength(50)),
    reason: z.optional(text(REASON_MAX_CHARS)),
  }),
  errors: ['contest_not_found', 'contest_answered', 'sale_refunded', 'admin_not_found'],
});

export const rejectContest = post(`${EARNINGS}/contests/{id}/reject`, {
  ...answered,
  summary: 'Reject a contest and give the reason.',
  body: z.strictObject({ reason: requiredText(REASON_MAX_CHARS, 'Please enter a reason') }),
  errors: ['contest_not_found', 'contest_answered'],
});

export const listCommissionRules = get(`${EARNINGS}/rules`, {
  ...managed,
  summary: 'All versions of the commission rules, newest first.',
  replies: { 200: z.object({ data: z.array(CommissionRule) }) },
});

export const addCommissionRule = post(`${EARNINGS}/rules`, {
  ...managed,
  summary:
    'Add a version of an admin’s or a role’s rule. It takes effect at the start of `effective_from` in the team’s time zone, or immediately if that day is today.',
  body: z
    .strictObject({
      ...target,
      ...terms,
      // PostgreSQL has no year 0.
      effective_from: z.iso
        .date()
        .check(z.refine((day) => !day.startsWith('0000'), 'Choose today or a later day')),
    })
    .check(z.refine(hasOneTarget, NO_TARGET)),
  replies: { 201: z.object({ data: CommissionRule }) },
  errors: ['admin_not_found'],
});

export const tryCommissionRule = post(`${EARNINGS}/what-if`, {
  isWork: false,
  ...managed,
  summary:
    'What each admin would have earned in a period under this rule: the amount on the pay slip, plus the difference that the rule makes to the period’s sales and hours. Contests and refunded sales make no difference. Nothing is stored.',
  body: z
    .strictObject({ ...target, ...terms, period_id: lookupId })
    .check(z.refine(hasOneTarget, NO_TARGET)),
  replies: {
    200: z.object({
      data: z.array(
        z.object({
          admin_id: z.string(),
          admin_codename: z.string(),
          /** The admin's earnings in the period, as on the pay slip. */
          amount: z.number(),
          tried_amount: z.number(),
          difference: z.number(),
        }),
      ),
    }),
  },
  errors: ['admin_not_found', 'period_not_found'],
});

export const listPeriods = get(`${EARNINGS}/periods`, {
  auth: 'admin',
  summary:
    'Periods, newest first, with the caller’s own sums; for those who can manage admins, everyone’s. The first page also has all open periods.',
  query: z.object({
    cursor,
    limit: z._default(
      z.coerce.number().check(z.int(), z.gte(1), z.lte(PERIODS_PAGE_MAX)),
      PERIODS_PAGE_MAX,
    ),
  }),
  replies: { 200: pageOf(EarningPeriod) },
});

export const closePeriod = post(`${EARNINGS}/periods/{id}/close`, {
  ...managed,
  summary: 'Close the oldest open period once it is over. A closed period never changes.',
  params: byId,
  replies: { 200: z.object({ data: EarningPeriod }) },
  errors: ['period_not_found', 'period_closed', 'period_not_due'],
});

export const exportPayslip = get(`${EARNINGS}/periods/{id}/export`, {
  auth: 'admin',
  summary:
    'A period’s pay slip as CSV (RFC 4180, UTF-8): the caller’s own lines; for those who can manage admins, anyone’s.',
  params: byId,
  query: z.object({ admin_id: z.optional(lookupId) }),
  download: 'text/csv',
  replies: { 200: z.string() },
  errors: ['period_not_found', 'admin_not_found', 'permission_required'],
});

export const listClosedPeriods = get('/api/platform/periods', {
  auth: 'platform',
  scope: 'payroll',
  summary:
    'Closed periods with each admin’s sum, newest first. Requires a key with the scope `payroll`.',
  query: z.strictObject({
    cursor: z.optional(text(500)),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(PERIODS_PAGE_MAX)), 12),
  }),
  replies: { 200: pageOf(EarningPeriod) },
});
