import { currentAdmin, requestOtp, signOut, verifyOtp } from '@stagedoor/contract/team/auth';
import { type QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, failureFrom } from '../../lib/server/api.ts';
import {
  endSession,
  getToken,
  startSession,
  updateAdmin,
  useSession,
} from '../../lib/server/session.ts';

/** Normalizes an email address for sending and display. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Returns the reply, or fails if it has an error field, whatever the HTTP status.
 * @throws ApiError
 */
async function unlessRefused<Reply>(reply: Promise<Reply>): Promise<Reply> {
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

/** Signs out here at once, and on the server without waiting for the result. */
export function leaveSession(): void {
  const request = call(signOut);
  endSession();
  request.catch((error: unknown) => console.error('Failed to sign out on the server', error));
}

/** Refetches the signed-in admin's permissions after a sign that they changed. */
export function recheckAdmin(client: QueryClient): void {
  client
    .invalidateQueries({ queryKey: ['auth', 'me'] })
    .catch((error: unknown) => console.error('Failed to refresh the permissions', error));
}

/** Fetches the token's admin and permissions at the start and on window focus, and updates the session with them. */
export function useCurrentAdmin() {
  const session = useSession();
  const token = session.status === 'signed_out' ? null : session.token;
  const query = useQuery({
    queryKey: ['auth', 'me', token],
    queryFn: async ({ signal }) => (await call(currentAdmin, { signal })).data,
    enabled: token !== null,
    refetchOnWindowFocus: true,
  });
  const admin = query.data;
  useEffect(() => {
    if (admin && token !== null && token === getToken()) updateAdmin(admin);
  }, [admin, token]);
  return query;
}
