import type { EmbedCommand, EmbedNotice } from '@stagedoor/contract/platform/fan-embed';
import { isFramed } from './stored.ts';

type Bare<T> = T extends { stagedoor: 1 } ? Omit<T, 'stagedoor'> : never;

/** Returns the origin of the embedding page, which the server signed into the URL; null when not embedded. */
function embedOrigin(isInFrame: boolean, search: string): string | null {
  const [origin = ''] = (new URLSearchParams(search).get('embed') ?? '').split(' ');
  return isInFrame && origin !== '' ? origin : null;
}

const origin = embedOrigin(isFramed, window.location.search);

/** Whether the client is embedded in the page whose origin its URL names. */
export const isEmbedded = origin !== null;

/** Sends a notice to the embedding page only. Does nothing if the client isn't embedded. */
export function notifyPage(notice: Bare<EmbedNotice>): void {
  if (origin !== null) window.parent.postMessage({ stagedoor: 1, ...notice }, origin);
}

/** Listens to commands from the embedding page only. @returns a function that stops listening */
export function onPageCommand(listener: (command: EmbedCommand) => void): () => void {
  const onMessage = (event: MessageEvent<unknown>) => {
    if (event.source !== window.parent || event.origin !== origin) return;
    if (isCommand(event.data)) listener(event.data);
  };
  window.addEventListener('message', onMessage);
  return () => window.removeEventListener('message', onMessage);
}

function isCommand(data: unknown): data is EmbedCommand {
  if (typeof data !== 'object' || data === null) return false;
  const message = data as Record<string, unknown>;
  if (message.stagedoor !== 1) return false;
  if (message.type === 'session') return typeof message.url === 'string';
  return message.type === 'purchase-settled';
}
