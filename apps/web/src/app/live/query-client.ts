import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/server/api.ts';

const RETRY_DELAY_MS = 800;

/** Allows one retry if it may help: there was no response, or the server failed. */
function mayRetry(failureCount: number, error: Error): boolean {
  if (failureCount > 0) return false;
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** Creates the cache for server data. Live events keep it current, so focusing the window refetches nothing. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: mayRetry,
        retryDelay: RETRY_DELAY_MS,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // A console on a local network works without the internet, but the browser reports it as offline.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
