import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { LucideProvider } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import { lazyPart } from '../lib/lazy-part.ts';
import { getToken, subscribeSession } from '../lib/server/session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { PageLoading } from '../ui/page-loading.tsx';
import { BrowserRouter } from './browser-router.tsx';
import { SignedInOnly, SignedOutOnly } from './guards.tsx';
import { InboxPage } from './inbox/inbox-page.tsx';

const ProductsPage = lazyPart(async () => (await import('./products-page.tsx')).ProductsPage);
const ConsolePage = lazyPart(async () => (await import('./console-page.tsx')).ConsolePage);
const Toaster = lazyPart(async () => (await import('../ui/overlay/toaster.tsx')).Toaster);

function LazyPages() {
  return (
    <Suspense fallback={<PageLoading />}>
      <Outlet />
      <Toaster />
    </Suspense>
  );
}

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
                <Route element={<LazyPages />}>
                  <Route path="/products" element={<ProductsPage />} />
                  <Route path="/console/*" element={<ConsolePage />} />
                </Route>
                <Route path="*" element={<Navigate to="/inbox" replace />} />
              </Route>
            </Routes>
          </BrowserRouter>
        </LucideProvider>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
