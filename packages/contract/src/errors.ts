import * as z from 'zod/mini';
import { namedObject } from './primitives.ts';
import { StaffMember } from './team/staff.ts';

/** Adds a status to error codes. @param messages the default message of each code */
const withStatus = <const M extends Record<string, string>>(status: number, messages: M) =>
  Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { status, message }]),
  ) as { readonly [Code in keyof M]: { readonly status: number; readonly message: string } };

/**
 * Every machine-readable error code with its HTTP status and its default message for people. Codes are stable: other
 * programs branch on them.
 */
export const errorCatalogue = {
  ...withStatus(400, {
    invalid_request: 'The request is not valid',
    invalid_attachment: 'An attachment is not valid',
    invalid_rule: 'This segment’s rule is not valid',
    invalid_file: 'This file can’t be used',
  }),
  ...withStatus(401, {
    unauthorized: 'Not authenticated',
    invalid_code: 'That code is wrong or no longer valid. Check it, or go back for a new one.',
    invalid_link: 'This link is no longer valid. Go back to where you found it to get a new one.',
    sign_in_expired: 'This sign-in took too long or had too many attempts. Please start again.',
  }),
  ...withStatus(402, {
    card_declined: 'The card was declined. Try another one.',
  }),
  ...withStatus(403, {
    permission_required: 'You do not have permission to do this',
    message_privilege_required: 'You do not have message privileges. Ask a manager to grant them.',
    passkey_required:
      'The code is correct, but you also need your passkey. Sign in through the console.',
    passkey_enrolment_required:
      'The code is correct, but your role requires a passkey. Sign in through the console to add one.',
    confirmation_required: 'Confirm with your passkey',
    invalid_passkey: 'This passkey was not accepted. Try again, or use another one.',
    cannot_reset_self: 'You can’t reset your own passkeys. Ask a teammate to do it.',
    not_claimant: 'Only the admin who claimed this conversation can release it',
    not_note_author: 'Only the author can edit a note',
    not_message_author: 'Only the author or a manager can unsend a message',
    cannot_remove_self: 'You can’t remove yourself',
    role_ceiling: 'You can’t do this for a role above your own',
    origin_refused: 'Requests from this origin are not allowed',
    link_expired: 'This link is no longer valid. Reload the page.',
    off_shift: 'You can only read outside your shifts. Ask a manager for more time.',
  }),
  ...withStatus(404, {
    not_found: 'Not found',
    conversation_not_found: 'Conversation not found',
    message_not_found: 'Message not found',
    handover_not_found: 'Handover not found',
    staff_note_not_found: 'Note not found',
    fan_not_found: 'Fan not found',
    tag_not_found: 'Tag not found',
    product_not_found: 'Product not found',
    folder_not_found: 'Folder not found',
    purchase_not_found: 'Purchase not found',
    attachment_not_found: 'Attachment not found',
    session_not_found: 'Session not found',
    admin_not_found: 'Admin not found',
    passkey_not_found: 'Passkey not found',
    key_not_found: 'Key not found',
    delivery_not_found: 'Delivery not found',
    view_not_found: 'View not found',
    earning_not_found: 'Earning not found',
    contest_not_found: 'Contest not found',
    period_not_found: 'Period not found',
    segment_not_found: 'Segment not found',
    campaign_not_found: 'Mass message not found',
    statement_not_found: 'This statement no longer exists',
    template_not_found: 'Template not found',
    scheduled_not_found: 'Scheduled message not found',
    invite_not_found: 'Invitation not found',
    shift_not_found: 'This shift no longer exists',
    extension_not_found: 'This request no longer exists',
  }),
  ...withStatus(409, {
    idempotency_conflict: 'This id was already used for a message with different content',
    teammate_replied: 'A teammate just replied. Send anyway?',
    shift_conflict: 'This overlaps another shift of the same teammate',
    already_clocked_in: 'Your clock is already running',
    not_clocked_in: 'Your clock is not running',
    settings_conflict: 'A teammate has changed these settings since you opened them',
    folder_exists: 'A folder with this name already exists',
    already_purchased: 'This fan has already bought this',
    already_owned: 'This fan has already bought this',
    already_read: 'The fan has already read this message',
    already_unsent: 'This message has already been unsent',
    already_claimed: 'Another admin has claimed this conversation',
    claims_changed:
      'Your claims have changed. Nothing was handed over. Check the list and try again.',
    colleague_unavailable:
      'This teammate can’t take over conversations right now. Choose someone else.',
    invalid_transition: 'The conversation’s status does not allow this',
    notes_conflict: 'A teammate has saved these notes since you opened them',
    statement_conflict: 'A teammate has changed this since you opened it',
    too_many_statements: 'There are too many for this fan. Remove one first.',
    edit_conflict: 'A teammate has saved this since you opened it',
    too_many_templates: 'There are too many templates. Delete one first.',
    too_many_segments: 'There are too many segments. Delete one first.',
    too_many_scheduled: 'There are too many scheduled messages. Cancel one first.',
    scheduled_settled: 'This message has already been sent or canceled, or is being sent now',
    admin_exists: 'An admin with this email already exists',
    admin_inactive: 'This admin was removed',
    codename_taken: 'This codename is already in use or was used before',
    last_manager: 'At least one active admin must be able to manage the others',
    too_many_pins: 'You have too many pinned conversations. Unpin one first.',
    already_contested: 'This earning is already contested',
    sale_undecided: 'This sale has not been credited to anyone yet. Try again later.',
    contest_answered: 'This contest has already been answered',
    sale_refunded: 'This sale was refunded, so it has no earnings to divide',
    period_closed: 'This period is already closed',
    period_not_due: 'Only the oldest open period can be closed, once it is over',
    too_many_views: 'You have too many views. Delete one first.',
    too_many_keys: 'There are too many keys. Revoke one first.',
    too_many_passkeys: 'You have too many passkeys. Remove one first.',
    last_passkey: 'Your role requires a passkey. Add another one before you remove this one.',
    passkey_needed: 'You need a passkey of your own first. Add one under Settings, Passkeys.',
    passkeys_unavailable: 'Passkeys don’t work at this address',
    delivery_waiting: 'This event is already waiting to be delivered',
    webhook_not_set: 'No webhook address is set',
    payment_unavailable: 'This payment method is not available here',
    invite_used: 'This invitation has already been accepted',
    invite_pending: 'This invitation is already being sent',
  }),
  ...withStatus(410, {
    invite_expired: 'This invitation has expired',
  }),
  ...withStatus(413, {
    payload_too_large: 'The request is too large',
  }),
  ...withStatus(415, {
    unsupported_media_type: 'This content type is not supported',
  }),
  ...withStatus(422, {
    amount_mismatch: 'The amount does not match the price of this message',
    banned_words: 'This message contains words that are not allowed',
    price_out_of_bounds: 'This price is not allowed',
    scheduled_failed: 'This message could not be sent',
    segment_too_slow: 'This segment takes too long to evaluate. Use fewer conditions.',
    search_too_broad:
      'This search takes too long. Narrow it down: type more letters, choose one fan, or pick a shorter period.',
  }),
  ...withStatus(429, {
    rate_limited: 'Too many requests. Please wait a moment and try again.',
    too_many_wrong_codes: 'Too many wrong codes for this email. Wait before you try again.',
  }),
  ...withStatus(507, {
    storage_full: 'There is no space left for files. Contact the person who runs this server.',
  }),
  ...withStatus(500, {
    internal_error: 'Something went wrong on our side. Please try again.',
  }),
  ...withStatus(503, {
    unavailable: 'The service is not available right now. Please try again.',
  }),
};

export type ErrorCode = keyof typeof errorCatalogue;

const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** The body of every error reply. */
export const ErrorReply = namedObject('Error', {
  error: z.string(),
  code: z.enum(errorCodes),
  /** Maps a field's dotted path to its error text. */
  fields: z.optional(z.record(z.string(), z.string())),
  /** With `already_claimed`: the admin who has claimed the conversation. */
  claimant: z.optional(StaffMember),
  /** With `passkey_required` and `passkey_enrolment_required`: the token to continue the sign-in, valid for 5 minutes. */
  pending: z.optional(z.string()),
  /** On a refused socket handshake, which has no `Retry-After` header: the seconds to wait. */
  retry_after: z.optional(z.number()),
  /** With `banned_words`: the banned words found, spelled as in the ban list. */
  words: z.optional(z.array(z.string())),
  /**
   * With `notes_conflict`, `settings_conflict`, `statement_conflict` and `edit_conflict`: the stored state. With `shift_conflict`:
   * the existing shift that overlaps.
   */
  current: z.optional(z.record(z.string(), z.unknown())),
});
export type ErrorReply = z.infer<typeof ErrorReply>;
