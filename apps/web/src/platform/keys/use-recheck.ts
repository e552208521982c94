import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { recheckAdmin } from '../../team/auth/queries.ts';

/** A refusal for want of a permission means that it was taken away meanwhile: what this admin may do is asked anew. */
export function useRecheck(error: Error | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (error instanceof ApiError && error.code === 'permission_required') recheckAdmin(client);
  }, [error, client]);
}
