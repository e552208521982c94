import { lazyPart } from '@stagedoor/browser/lazy-part';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { Route, Routes } from 'react-router';
import { getToken, subscribeSession } from '../lib/server/session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { BrowserRouter } from './browser-router.tsx';
import { SignedInOnly, SignedOutOnly } from './guards.tsx';
import { InboxPage } from './inbox/inbox-page.tsx';

const Pages = lazyPart(async () => (await import('./pages.tsx')).Pages);

/** The whole app: its providers and routes. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  useEffect(() => {
    let token = getToken();
    return subscribeSession(() => {
      // Data fetched in one session must not be visible in the next.
      if (getToken() !== token) queryClient.clear();
      token = getToken();
    });
  }, [queryClient]);
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        {/* Icons hide themselves from screen readers unless they have a name. */}
        <LucideProvider size={16} strokeWidth={1.75}>
          <BrowserRouter>
            <Routes>
              <Route path="/login" element={<SignedOutOnly />} />
              <Route element={<SignedInOnly />}>
                <Route element={<InboxPage />}>
                  <Route path="/inbox" />
                  <Route path="/inbox/:id" />
                  <Route path="/messages/:id" />
                </Route>
                <Route
                  path="*"
                  element={
                    <Suspense fallback={<PageLoading />}>
                      <Pages />
                    </Suspense>
                  }
                />
              </Route>
            </Routes>
          </BrowserRouter>
        </LucideProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
