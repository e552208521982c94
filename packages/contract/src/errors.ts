import * as z from 'zod/mini';
import { StaffMember } from './team/staff.ts';

/**
 * Every machine-readable error code with its HTTP status and its default message for people. Codes are stable: other
 * programs branch on them.
 */
export const errorCatalogue = {
  invalid_request: { status: 400, message: 'The request is not valid' },
  invalid_attachment: { status: 400, message: 'An attachment is not valid' },
  invalid_file: { status: 400, message: 'This file can’t be used' },
  unauthorized: { status: 401, message: 'Not authenticated' },
  invalid_code: {
    status: 401,
    message: 'That code is wrong or no longer valid. Check it, or go back for a new one.',
  },
  invalid_link: {
    status: 401,
    message: 'This link is no longer valid. Go back to where you found it to get a new one.',
  },
  sign_in_expired: {
    status: 401,
    message: 'This sign-in took too long or had too many attempts. Please start again.',
  },
  card_declined: { status: 402, message: 'The card was declined. Try another one.' },
  permission_required: { status: 403, message: 'You do not have permission to do this' },
  message_privilege_required: {
    status: 403,
    message: 'You do not have message privileges. Ask a manager to grant them.',
  },
  passkey_required: {
    status: 403,
    message: 'The code is correct, but you also need your passkey. Sign in through the console.',
  },
  passkey_enrolment_required: {
    status: 403,
    message:
      'The code is correct, but your role requires a passkey. Sign in through the console to add one.',
  },
  confirmation_required: {
    status: 403,
    message: 'Confirm with your passkey',
  },
  invalid_passkey: {
    status: 403,
    message: 'This passkey was not accepted. Try again, or use another one.',
  },
  cannot_reset_self: {
    status: 403,
    message: 'You can’t reset your own passkeys. Ask a teammate to do it.',
  },
  not_claimant: {
    status: 403,
    message: 'Only the admin who claimed this conversation can release it',
  },
  not_note_author: { status: 403, message: 'Only the author can edit a note' },
  cannot_remove_self: { status: 403, message: 'You can’t remove yourself' },
  role_ceiling: { status: 403, message: 'You can’t do this for a role above your own' },
  origin_refused: { status: 403, message: 'Requests from this origin are not allowed' },
  link_expired: {
    status: 403,
    message: 'This link is no longer valid. Reload the page.',
  },
  not_found: { status: 404, message: 'Not found' },
  conversation_not_found: { status: 404, message: 'Conversation not found' },
  message_not_found: { status: 404, message: 'Message not found' },
  handover_not_found: { status: 404, message: 'Handover not found' },
  staff_note_not_found: { status: 404, message: 'Note not found' },
  fan_not_found: { status: 404, message: 'Fan not found' },
  tag_not_found: { status: 404, message: 'Tag not found' },
  product_not_found: { status: 404, message: 'Product not found' },
  folder_not_found: { status: 404, message: 'Folder not found' },
  purchase_not_found: { status: 404, message: 'Purchase not found' },
  attachment_not_found: { status: 404, message: 'Attachment not found' },
  session_not_found: { status: 404, message: 'Session not found' },
  admin_not_found: { status: 404, message: 'Admin not found' },
  passkey_not_found: { status: 404, message: 'Passkey not found' },
  key_not_found: { status: 404, message: 'Key not found' },
  delivery_not_found: { status: 404, message: 'Delivery not found' },
  view_not_found: { status: 404, message: 'View not found' },
  statement_not_found: { status: 404, message: 'This statement no longer exists' },
  template_not_found: { status: 404, message: 'Template not found' },
  scheduled_not_found: { status: 404, message: 'Scheduled message not found' },
  invite_not_found: { status: 404, message: 'Invitation not found' },
  idempotency_conflict: {
    status: 409,
    message: 'This id was already used for a message with different content',
  },
  teammate_replied: { status: 409, message: 'A teammate just replied. Send anyway?' },
  settings_conflict: {
    status: 409,
    message: 'A teammate has changed these settings since you opened them',
  },
  folder_exists: { status: 409, message: 'A folder with this name already exists' },
  already_purchased: { status: 409, message: 'This fan has already bought this' },
  already_owned: { status: 409, message: 'This fan has already bought this' },
  already_claimed: { status: 409, message: 'Another admin has claimed this conversation' },
  claims_changed: {
    status: 409,
    message: 'Your claims have changed. Nothing was handed over. Check the list and try again.',
  },
  colleague_unavailable: {
    status: 409,
    message: 'This teammate can’t take over conversations right now. Choose someone else.',
  },
  invalid_transition: { status: 409, message: 'The conversation’s status does not allow this' },
  notes_conflict: {
    status: 409,
    message: 'A teammate has saved these notes since you opened them',
  },
  statement_conflict: { status: 409, message: 'A teammate has changed this since you opened it' },
  too_many_statements: {
    status: 409,
    message: 'There are too many for this fan. Remove one first.',
  },
  edit_conflict: { status: 409, message: 'A teammate has saved this since you opened it' },
  too_many_templates: {
    status: 409,
    message: 'There are too many templates. Delete one first.',
  },
  too_many_scheduled: {
    status: 409,
    message: 'There are too many scheduled messages. Cancel one first.',
  },
  scheduled_settled: {
    status: 409,
    message: 'This message has already been sent or canceled, or is being sent now',
  },
  admin_exists: { status: 409, message: 'An admin with this email already exists' },
  admin_inactive: { status: 409, message: 'This admin was removed' },
  codename_taken: { status: 409, message: 'This codename is already in use or was used before' },
  last_manager: {
    status: 409,
    message: 'At least one active admin must be able to manage the others',
  },
  too_many_pins: {
    status: 409,
    message: 'You have too many pinned conversations. Unpin one first.',
  },
  too_many_views: { status: 409, message: 'You have too many views. Delete one first.' },
  too_many_keys: { status: 409, message: 'There are too many keys. Revoke one first.' },
  too_many_passkeys: { status: 409, message: 'You have too many passkeys. Remove one first.' },
  last_passkey: {
    status: 409,
    message: 'Your role requires a passkey. Add another one before you remove this one.',
  },
  passkey_needed: {
    status: 409,
    message: 'You need a passkey of your own first. Add one under Settings, Passkeys.',
  },
  passkeys_unavailable: {
    status: 409,
    message: 'Passkeys don’t work at this address',
  },
  delivery_waiting: { status: 409, message: 'This event is already waiting to be delivered' },
  webhook_not_set: { status: 409, message: 'No webhook address is set' },
  payment_unavailable: { status: 409, message: 'This payment method is not available here' },
  invite_used: { status: 409, message: 'This invitation has already been accepted' },
  invite_pending: { status: 409, message: 'This invitation is already being sent' },
  invite_expired: { status: 410, message: 'This invitation has expired' },
  payload_too_large: { status: 413, message: 'The request is too large' },
  unsupported_media_type: { status: 415, message: 'This content type is not supported' },
  amount_mismatch: { status: 422, message: 'The amount does not match the price of this message' },
  banned_words: { status: 422, message: 'This message contains words that are not allowed' },
  price_out_of_bounds: { status: 422, message: 'This price is not allowed' },
  scheduled_failed: { status: 422, message: 'This message could not be sent' },
  search_too_broad: {
    status: 422,
    message:
      'This search takes too long. Narrow it down: type more letters, choose one fan, or pick a shorter period.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  too_many_wrong_codes: {
    status: 429,
    message: 'Too many wrong codes for this email. Wait before you try again.',
  },
  storage_full: {
    status: 507,
    message: 'There is no space left for files. Contact the person who runs this server.',
  },
  internal_error: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  unavailable: {
    status: 503,
    message: 'The service is not available right now. Please try again.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** The body of every error reply. */
export const ErrorReply = z
  .object({
    error: z.string(),
    code: z.enum(errorCodes),
    /** Maps a field's dotted path to its error text. */
    fields: z.optional(z.record(z.string(), z.string())),
    /** With `already_claimed`: the admin who holds the conversation. */
    claimant: z.optional(StaffMember),
    /** With `passkey_required` and `passkey_enrolment_required`: the token to continue the sign-in, valid for 5 minutes. */
    pending: z.optional(z.string()),
    /** On a socket, which has no `Retry-After` header: the seconds to wait. */
    retry_after: z.optional(z.number()),
    /** With `banned_words`: the banned words found, spelled as in the ban list. */
    words: z.optional(z.array(z.string())),
    /** With `notes_conflict`, `settings_conflict`, `statement_conflict` and `edit_conflict`: the stored state. */
    current: z.optional(z.record(z.string(), z.unknown())),
  })
  .check(z.meta({ id: 'Error' }));
export type ErrorReply = z.infer<typeof ErrorReply>;
