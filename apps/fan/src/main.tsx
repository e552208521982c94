import { serviceWorkerUrl } from '@stagedoor/browser/service-worker-url';
import { watchViewport } from '@stagedoor/browser/viewport';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { takeEntry } from './app/entry.ts';
import { t } from './lib/i18n.ts';
import { watchSession } from './lib/session.ts';
import { isFramed } from './lib/stored.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';

document.title = t('Messages');
const entry = takeEntry();
watchSession();
watchViewport();

// Keeps the code that this page may still need after an upgrade. Framed pages have no service worker, so they load it all now.
// Development always loads the latest files.
if (import.meta.env.PROD) {
  window.addEventListener('load', () => {
    const kept: Promise<unknown> =
      !isFramed && 'serviceWorker' in navigator
        ? navigator.serviceWorker.register(serviceWorkerUrl('/fan/sw.js'), { scope: '/fan/' })
        : Promise.all([
            import('./features/offers/test-card-sheet.tsx'),
            import('./features/offers/tip-sheet.tsx'),
            import('./features/thread/lightbox.tsx'),
            import('./features/thread/message-menu.tsx'),
          ]);
    kept.catch((error: unknown) => console.warn('Failed to save the page’s code', error));
  });
}

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <App entry={entry} />
    </ErrorBoundary>
  </StrictMode>,
);
