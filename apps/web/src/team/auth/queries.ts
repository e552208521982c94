import { currentAdmin, signOut } from '@stagedoor/contract/team/auth';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/server/api.ts';
import { endSession, getToken, updateAdmin, useSession } from '../../lib/server/session.ts';

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
