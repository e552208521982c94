import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useConnection } from '../../lib/server/socket.ts';
import { setNotice } from './notice.ts';

/** Clears the notice when its conversation is left and when the connection returns. */
export function useNoticeEnd(client: QueryClient): void {
  const { status } = useConnection();
  useEffect(() => () => setNotice(client, null), [client]);
  // Notices about a missing connection are outdated once there is one.
  useEffect(() => {
    if (status === 'connected') setNotice(client, null);
  }, [client, status]);
}
