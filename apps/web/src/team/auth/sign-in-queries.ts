import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { useMutation } from '@tanstack/react-query';
import { call, failureFrom } from '../../lib/server/api.ts';
import { startSession } from '../../lib/server/session.ts';

/** Normalizes an email address for sending and display. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Returns the reply, or fails if it has an error field, whatever the HTTP status.
 * @throws ApiError
 */
export async function unlessRefused<Reply>(reply: Promise<Reply>): Promise<Reply> {
  const body: unknown = await reply;
  if (typeof body === 'object' && body !== null && 'error' in body && body.error)
    throw failureFrom(200, body);
  return body as Reply;
}

/** Requests a code by email. */
export function useRequestCode() {
  return useMutation({
    mutationFn: (email: string) =>
      unlessRefused(call(requestOtp, { body: { email: normalizeEmail(email) } })),
  });
}

/** A sign-in with a correct code. Its token is only valid for the remaining step. */
export interface PendingSignIn {
  step: 'passkey' | 'enrol';
  token: string;
}

/** Exchanges a code for a session and starts it. */
export function useVerifyCode() {
  return useMutation({
    mutationFn: (body: { email: string; code: string }) => unlessRefused(call(verifyOtp, { body })),
    onSuccess: ({ token, admin }) => startSession(token, admin),
  });
}
