import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import { byId, dataOf, lookupId, namedObject, pageOf, sentence, timestamp } from '../primitives.ts';
import { StaffMember } from '../team/staff.ts';
import { fanExternalId } from './external-id.ts';

/** The maximum number of email addresses in one call. */
export const INVITE_MAX_EMAILS = 1000;
export const INVITE_LIFE_DAYS = 14;
/** Hours before a sent invitation can be sent again. */
export const INVITE_RESEND_HOURS = 24;
/** The error when a call or the form has no email address. */
export const NO_INVITE_EMAILS = sentence('Please enter at least one email address');

/** The benefit that an invitation grants. */
export const BenefitType = z.enum([
  '1_month_free',
  '3_months_free',
  '24_hours_free',
  'full_subscription',
]);
export type BenefitType = z.infer<typeof BenefitType>;

/** An invitation's state. `failed`: the mail server refused the email, or every retry failed. */
export const InviteState = z.enum(['queued', 'sent', 'failed', 'opened', 'accepted', 'expired']);
export type InviteState = z.infer<typeof InviteState>;

export const Invite = namedObject('Invite', {
  id: z.string(),
  email: z.string(),
  benefit_type: BenefitType,
  state: InviteState,
  /** Why the last attempt to send the email failed; null before the first failure and once the email is sent. */
  error: z.nullable(z.string()),
  invited_by: StaffMember,
  created_at: timestamp,
  sent_at: z.nullable(timestamp),
  opened_at: z.nullable(timestamp),
  accepted_at: z.nullable(timestamp),
  expires_at: timestamp,
  /** Whether it can be sent again now: it failed, or it is not accepted and has expired or was sent at least a day ago. */
  can_resend: z.boolean(),
});
export type Invite = z.infer<typeof Invite>;

/** The body's fields have the same names as in the form. */
export const createInvites = post('/api/subscriptions/admin/invites', {
  summary:
    'Invite people by email, with one email per person: at most 200 a day per admin and 1,000 for all staff. The reply has a result for each address.',
  auth: 'admin',
  body: z.strictObject({
    // A malformed address gets its own error in the reply and doesn't block the others.
    emails: z
      .array(z.string().check(z.maxLength(2000)), NO_INVITE_EMAILS)
      .check(
        z.minLength(1, NO_INVITE_EMAILS),
        z.maxLength(INVITE_MAX_EMAILS, sentence('Please enter at most 1,000 email addresses')),
      ),
    benefitType: z._default(BenefitType, '1_month_free'),
  }),
  replies: {
    200: z.object({
      success: z.array(z.object({ email: z.string(), id: z.string() })),
      errors: z.array(z.object({ email: z.string(), reason: z.string() })),
    }),
  },
});

export const listInvites = get('/api/subscriptions/admin/invites', {
  summary: 'Invitations and their states, newest first.',
  auth: 'admin',
  query: z.object({
    state: z.optional(InviteState),
    cursor: z.optional(lookupId),
    limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(200)), 50),
  }),
  replies: { 200: pageOf(Invite) },
});

export const resendInvite = post('/api/subscriptions/admin/invites/{id}/resend', {
  summary:
    'Resend an invitation that failed, expired or was sent more than a day ago. It gets a new link; the old link stops working.',
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: Invite }) },
  errors: ['invite_not_found', 'invite_used', 'invite_pending', 'rate_limited'],
});

export const acceptInvite = post('/api/platform/invites/{token}/accept', {
  summary:
    'Accept an invitation for a fan and grant its benefit. A retry for the same fan gets the same reply.',
  auth: 'platform',
  params: z.object({ token: lookupId }),
  body: z.strictObject({ fan: fanExternalId }),
  replies: {
    200: dataOf({
      invite_id: z.string(),
      /** The platform's id for the fan. */
      fan: z.string(),
      benefit_type: BenefitType,
      accepted_at: timestamp,
      /** When the benefit ends; null if it never does. */
      benefit_ends_at: z.nullable(timestamp),
    }),
  },
  errors: ['fan_not_found', 'invite_not_found', 'invite_used', 'invite_expired'],
});
