import { watchViewport } from '@stagedoor/browser/viewport';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { takeEarlyResponses } from './app/live/early-responses.ts';
import { createQueryClient } from './app/live/query-client.ts';
import { watchInput } from './lib/after-paint.ts';
import { watchSession } from './lib/server/session.ts';

// Loaded here, not in the HTML: on a slow connection the font would delay the scripts, and no text needs it before they render.
document.fonts.load('1em "Inter Variable"').catch((error: unknown) => {
  console.warn('The font did not load', error);
});
watchSession();
watchInput();
watchViewport();

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
const queryClient = createQueryClient();
await takeEarlyResponses(queryClient);
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} />
  </StrictMode>,
);
