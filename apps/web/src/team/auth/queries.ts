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

/** How an address is sent and shown. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** A step of a sign-in also fails when its reply has an error field, whatever its status. @throws ApiError */
async function unlessRefused<Reply>(reply: Promise<Reply>): Promise<Reply> {
  const body: unknown = await reply;
  if (typeof body === 'object' && body !== null && 'error' in body && body.error)
    throw failureFrom(200, body);
  return body as Reply;
}

/** Asks for a code by e-mail. */
export function useRequestCode() {
  return useMutation({
    mutationFn: (email: string) =>
      unlessRefused(call(requestOtp, { body: { email: normalizeEmail(email) } })),
  });
}

/** A sign-in whose code was right: its token opens nothing but the step that is left. */
export interface PendingSignIn {
  step: 'passkey' | 'enrol';
  token: string;
}

/** Exchanges a code for a session, and starts it. */
export function useVerifyCode() {
  return useMutation({
    mutationFn: (body: { email: string; code: string }) => unlessRefused(call(verifyOtp, { body })),
    onSuccess: ({ token, admin }) => startSession(token, admin),
  });
}

/** Signs out here at once, and tells the server, whether or not it hears of it. */
export function leaveSession(): void {
  const told = call(signOut);
  endSession();
  told.catch((error: unknown) => console.error('Failed to sign out on the server', error));
}

const CURRENT_ADMIN = ['auth', 'me'] as const;

/** Asks anew what the signed-in admin may do, when something says that it changed. */
export function recheckAdmin(client: QueryClient): void {
  client
    .invalidateQueries({ queryKey: CURRENT_ADMIN })
    .catch((error: unknown) => console.error('Failed to refresh the permissions', error));
}

/**
 * Asks whose the token is and what they may do now, at the start and whenever the page is looked at again, and keeps the
 * session's copy so.
 */
export function useCurrentAdmin() {
  const session = useSession();
  const token = session.status === 'signed_out' ? null : session.token;
  const query = useQuery({
    queryKey: [...CURRENT_ADMIN, token],
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
