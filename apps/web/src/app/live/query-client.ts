import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../lib/server/api.ts';

const RETRY_DELAY_MS = 800;

/** One more try where trying again may help: no answer, or a failure on the server's side. */
function mayRetry(failureCount: number, error: Error): boolean {
  if (failureCount > 0) return false;
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** The cache of what the server said. Live events keep it current, so nothing is fetched again for a mere look. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: mayRetry,
        retryDelay: RETRY_DELAY_MS,
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // A console on a local network works without the internet, which is what the browser's flag is about.
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
}
