import type { EmbedCommand, EmbedNotice } from '@stagedoor/contract/platform/fan-embed';
import { isFramed } from './stored.ts';

type Bare<T> = T extends { stagedoor: 1 } ? Omit<T, 'stagedoor'> : never;

/** The origin of the page around the client, which the server signed into the address; null when not embedded. */
export function embedOrigin(isInFrame: boolean, search: string): string | null {
  const [origin = ''] = (new URLSearchParams(search).get('embed') ?? '').split(' ');
  return isInFrame && origin !== '' ? origin : null;
}

const origin = embedOrigin(isFramed, window.location.search);

/** Whether a page around the client listens. */
export const isEmbedded = origin !== null;

/** Tells the page around the client, and nobody else; nothing where there is none. */
export function tellPage(notice: Bare<EmbedNotice>): void {
  if (origin !== null) window.parent.postMessage({ stagedoor: 1, ...notice }, origin);
}

/** Listens to the page around the client, and to nobody else. @returns how to stop */
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
  const said = data as Record<string, unknown>;
  if (said.stagedoor !== 1) return false;
  if (said.type === 'session') return typeof said.url === 'string';
  return said.type === 'purchase-settled';
}
