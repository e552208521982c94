import * as z from 'zod/mini';

/**
 * Every machine-readable error code with its HTTP status and the human text that goes with it when nothing more specific
 * is known. Codes are stable: outside programs branch on them.
 */
export const errorCatalogue = {
  invalid_request: { status: 400, message: 'The request is not valid' },
  invalid_attachment: { status: 400, message: 'An attachment is not valid' },
  unauthorized: { status: 401, message: 'Not authenticated' },
  invalid_code: {
    status: 401,
    message: 'That code is wrong or no longer valid. Check it, or go back for a new one.',
  },
  permission_required: { status: 403, message: 'You do not have permission to do this' },
  message_privilege_required: {
    status: 403,
    message: 'You do not have message privileges. Ask a manager to grant them.',
  },
  origin_refused: { status: 403, message: 'Requests from this origin are refused' },
  not_found: { status: 404, message: 'Not found' },
  conversation_not_found: { status: 404, message: 'Conversation not found' },
  message_not_found: { status: 404, message: 'Message not found' },
  fan_not_found: { status: 404, message: 'Fan not found' },
  session_not_found: { status: 404, message: 'Session not found' },
  idempotency_conflict: {
    status: 409,
    message: 'This id was already used for a message with other content',
  },
  payload_too_large: { status: 413, message: 'The request is too large' },
  unsupported_media_type: { status: 415, message: 'This content type is not supported' },
  rate_limited: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  internal_error: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  unavailable: { status: 503, message: 'The service is not available right now. Please try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** The body of every reply that is not a success. `fields` maps a field's dotted path to what is wrong with it. */
export const ErrorReply = z
  .object({
    error: z.string(),
    code: z.enum(errorCodes),
    fields: z.optional(z.record(z.string(), z.string())),
  })
  .check(z.meta({ id: 'Error' }));
export type ErrorReply = z.infer<typeof ErrorReply>;
