import type { QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useConnection } from '../../lib/server/socket.ts';
import { setNotice } from './notice.ts';

/** Takes a notice back when its conversation is left, and where it is no news any more. */
export function useNoticeEnd(client: QueryClient): void {
  const { status } = useConnection();
  useEffect(() => () => setNotice(client, null), [client]);
  // What failed for want of a connection is no news once there is one.
  useEffect(() => {
    if (status === 'connected') setNotice(client, null);
  }, [client, status]);
}
