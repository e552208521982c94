import { useQueryClient } from '@tanstack/react-query';
import { useAdmin } from '../lib/server/session.ts';
import { shiftOptions } from '../messaging/handovers/queries.ts';

/** Returns a function to call after clocking out. If the admin still has claimed conversations, it calls `open`. */
export function useHandoverAfterClock(open: () => void): () => void {
  const client = useQueryClient();
  const mayWrite = useAdmin().permissions.can_manage_messages;
  return () => {
    if (!mayWrite) return;
    client
      .fetchQuery({ ...shiftOptions, staleTime: 0 })
      .then(({ total }) => total > 0 && open())
      .catch((error: unknown) => console.error('Failed to look up claims', error));
  };
}
