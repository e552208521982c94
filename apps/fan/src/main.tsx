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

// Embedded pages can't be installed, and development always loads the latest files.
if (import.meta.env.PROD && !isFramed && 'serviceWorker' in navigator) {
  window.addEventListener('load', () => {
    navigator.serviceWorker
      .register(serviceWorkerUrl('/fan/sw.js'), { scope: '/fan/' })
      .catch((error: unknown) => console.warn('The page can’t be saved for offline use', error));
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
