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
    message: 'This link is no longer valid. Please go back to where you found it for a new one.',
  },
  sign_in_expired: {
    status: 401,
    message: 'This sign-in took too long or was tried too often. Please begin again.',
  },
  card_declined: { status: 402, message: 'The card was declined. Please try another one.' },
  permission_required: { status: 403, message: 'You do not have permission to do this' },
  message_privilege_required: {
    status: 403,
    message: 'You do not have message privileges. Ask a manager to grant them.',
  },
  passkey_required: {
    status: 403,
    message: 'The code is right. Your passkey is needed too: please sign in by the console.',
  },
  passkey_enrolment_required: {
    status: 403,
    message:
      'The code is right. Your role needs a passkey, which you have to add first: please sign in by the console.',
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
    message: 'A colleague has to reset your passkeys',
  },
  not_claimant: {
    status: 403,
    message: 'Only the admin who claimed this conversation can release it',
  },
  not_note_author: { status: 403, message: 'Only who wrote a note can change it' },
  cannot_remove_self: { status: 403, message: 'You can’t remove yourself' },
  role_ceiling: { status: 403, message: 'This is above your own role' },
  origin_refused: { status: 403, message: 'Requests from this origin are refused' },
  link_expired: {
    status: 403,
    message: 'This link is no longer valid. Please load the page again.',
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
  statement_not_found: { status: 404, message: 'This was removed' },
  template_not_found: { status: 404, message: 'Template not found' },
  scheduled_not_found: { status: 404, message: 'Scheduled message not found' },
  invite_not_found: { status: 404, message: 'Invitation not found' },
  idempotency_conflict: {
    status: 409,
    message: 'This id was already used for a message with other content',
  },
  teammate_replied: { status: 409, message: 'A teammate just replied. Send anyway?' },
  settings_conflict: {
    status: 409,
    message: 'A colleague changed these settings since you opened them',
  },
  folder_exists: { status: 409, message: 'A folder with this name exists already' },
  already_purchased: { status: 409, message: 'This fan has bought it already' },
  already_owned: { status: 409, message: 'This fan has bought it already' },
  already_claimed: { status: 409, message: 'Another admin has claimed this conversation' },
  claims_changed: {
    status: 409,
    message: 'Your claims have changed meanwhile. Nothing was handed over: please look once more.',
  },
  colleague_unavailable: {
    status: 409,
    message: 'This colleague can’t take conversations over now. Please choose another one.',
  },
  invalid_transition: { status: 409, message: 'The conversation’s status does not allow this' },
  notes_conflict: { status: 409, message: 'A colleague saved these notes since you opened them' },
  statement_conflict: { status: 409, message: 'A colleague changed this since you opened it' },
  too_many_statements: { status: 409, message: 'Please remove one first: there are too many' },
  edit_conflict: { status: 409, message: 'A colleague saved this since you opened it' },
  too_many_templates: {
    status: 409,
    message: 'Please delete a template first: there are too many',
  },
  too_many_scheduled: {
    status: 409,
    message: 'Please cancel a scheduled message first: there are too many',
  },
  scheduled_settled: {
    status: 409,
    message: 'This message was sent or cancelled already, or is being sent',
  },
  admin_exists: { status: 409, message: 'There is an admin with this email already' },
  admin_inactive: { status: 409, message: 'This admin was removed' },
  codename_taken: { status: 409, message: 'This codename is taken, or was once' },
  last_manager: {
    status: 409,
    message: 'At least one active admin must be able to manage the others',
  },
  too_many_pins: {
    status: 409,
    message: 'Please unpin a conversation first: there are too many',
  },
  too_many_views: { status: 409, message: 'Please delete a view first: there are too many' },
  too_many_keys: { status: 409, message: 'Please revoke a key first: there are too many' },
  too_many_passkeys: { status: 409, message: 'Please remove a passkey first: there are too many' },
  last_passkey: {
    status: 409,
    message: 'Your role needs a passkey. Add another one before you remove this.',
  },
  passkey_needed: {
    status: 409,
    message: 'You have no passkey yourself. Add one first under Settings, Passkeys.',
  },
  passkeys_unavailable: {
    status: 409,
    message: 'Passkeys don’t work at this address',
  },
  delivery_waiting: { status: 409, message: 'This event is on its way already' },
  webhook_not_set: { status: 409, message: 'No webhook address is set' },
  payment_unavailable: { status: 409, message: 'Paying in this way is not possible here' },
  invite_used: { status: 409, message: 'This invitation was accepted already' },
  invite_pending: { status: 409, message: 'This invitation is on its way already' },
  invite_expired: { status: 410, message: 'This invitation has expired' },
  payload_too_large: { status: 413, message: 'The request is too large' },
  unsupported_media_type: { status: 415, message: 'This content type is not supported' },
  amount_mismatch: { status: 422, message: 'The amount is not the price of this message' },
  banned_words: { status: 422, message: 'This message has words that are not allowed' },
  price_out_of_bounds: { status: 422, message: 'This price is not allowed' },
  scheduled_failed: { status: 422, message: 'This message could not be sent' },
  search_too_broad: {
    status: 422,
    message:
      'This search takes too long. Please narrow your search: more letters, one fan, or a shorter time.',
  },
  rate_limited: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  too_many_wrong_codes: {
    status: 429,
    message: 'There were too many wrong codes for this email. Wait before you try again.',
  },
  storage_full: {
    status: 507,
    message: 'There is no space left for files. Please tell whoever runs this installation.',
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
