import { lazyPart } from '@stagedoor/browser/lazy-part';
import { Suspense } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { Toaster } from '../ui/overlay/toaster.tsx';
import { PageLoading } from '../ui/page-loading.tsx';

const ProductsPage = lazyPart(async () => (await import('./products-page.tsx')).ProductsPage);
const CampaignsPage = lazyPart(async () => (await import('./campaigns-page.tsx')).CampaignsPage);
const ConsolePage = lazyPart(async () => (await import('./console-page.tsx')).ConsolePage);
const SegmentsPage = lazyPart(async () => (await import('./segments-page.tsx')).SegmentsPage);
const ShiftsPage = lazyPart(async () => (await import('./shifts-page.tsx')).ShiftsPage);
const EarningsPage = lazyPart(async () => (await import('./earnings-page.tsx')).EarningsPage);

/** All pages but the inbox and sign-in. Unknown addresses redirect to the inbox. */
export function Pages() {
  return (
    <Suspense fallback={<PageLoading />}>
      <Routes>
        <Route path="/products" element={<ProductsPage />} />
        <Route path="/campaigns/*" element={<CampaignsPage />} />
        <Route path="/segments" element={<SegmentsPage />} />
        <Route path="/shifts" element={<ShiftsPage />} />
        <Route path="/earnings" element={<EarningsPage />} />
        <Route path="/console/*" element={<ConsolePage />} />
        <Route path="*" element={<Navigate to="/inbox" replace />} />
      </Routes>
      <Toaster />
    </Suspense>
  );
}
