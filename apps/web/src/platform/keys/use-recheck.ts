import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { recheckAdmin } from '../../team/auth/queries.ts';

/** Refetches the admin's permissions after a permission error, because they must have changed. */
export function useRecheck(error: Error | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (error instanceof ApiError && error.code === 'permission_required') recheckAdmin(client);
  }, [error, client]);
}
