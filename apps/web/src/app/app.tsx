import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { getToken, subscribeSession } from '../lib/session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { BrowserRouter } from './browser-router.tsx';
import { SignedInOnly, SignedOutOnly } from './guards.tsx';
import { InboxPage } from './inbox-page.tsx';
import { createQueryClient } from './query-client.ts';

/** The whole app: what it knows, and which page stands at which address. */
export function App() {
  const [queryClient] = useState(createQueryClient);
  useEffect(() => {
    let token = getToken();
    return subscribeSession(() => {
      // What one session fetched is nothing for the next one to see.
      if (getToken() !== token) queryClient.clear();
      token = getToken();
    });
  }, [queryClient]);
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <Routes>
            <Route path="/login" element={<SignedOutOnly />} />
            <Route element={<SignedInOnly />}>
              <Route element={<InboxPage />}>
                <Route path="/inbox" />
                <Route path="/inbox/:id" />
                <Route path="/messages/:id" />
              </Route>
              <Route path="*" element={<Navigate to="/inbox" replace />} />
            </Route>
          </Routes>
        </BrowserRouter>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
