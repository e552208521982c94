import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import { fetchConversation } from '../features/conversation/queries.ts';
import { deviceNotices, permissionNow } from '../features/notifications/device.ts';
import { notificationOptions } from '../features/notifications/queries.ts';
import { isQuietAt } from '../features/notifications/quiet-hours.ts';
import { playSound } from '../features/notifications/sound.ts';
import { onAnnounced } from '../lib/announce.ts';
import { displayName } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { formatMoney } from '../lib/price.ts';
import { keepServiceWorker } from '../lib/service-worker.ts';
import { knownConversation } from './live-inbox.ts';

/** What somebody has before their eyes, in whichever window, is read within this long and is no news then. Milliseconds. */
const READ_FIRST_MS = 2_500;

interface News {
  kind: 'message' | 'sale';
  conversationId: string;
  body: string;
}

interface Options {
  client: QueryClient;
  adminId: string;
  /** Shows a conversation. */
  open: (path: string) => void;
}

/**
 * Tells of news by sound and by notifications while the page is open, one of the browser's tabs for all of them.
 * @returns how to stop
 */
export function watchNews(options: Options): () => void {
  const stopping = new AbortController();
  void keepServiceWorker();
  const onMessage = ({ data }: MessageEvent<{ kind?: string; path?: string }>) => {
    if (data.kind === 'open' && data.path !== undefined) options.open(data.path);
  };
  navigator.serviceWorker?.addEventListener('message', onMessage, { signal: stopping.signal });
  const listen = () =>
    new Promise<void>((resolve) => {
      const stop = onAnnounced((name, payload) => {
        const news = newsOf(name, payload);
        if (news !== null)
          setTimeout(() => void tell(news, options, stopping.signal), READ_FIRST_MS);
      });
      stopping.signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  // Held by one tab for as long as it is open; then by another.
  const { locks } = navigator as Partial<Navigator>;
  // Where the address is not a secure one there are none: then each tab tells for itself.
  if (!locks) void listen();
  else locks.request('stagedoor_news', { signal: stopping.signal }, listen).catch(() => undefined);
  return () => stopping.abort();
}

function newsOf(name: string, payload: unknown): News | null {
  if (name === 'new_message') {
    const { message, conversation_id } = payload as ServerEvent<'new_message'>;
    if (message.author !== null) return null;
    return { kind: 'message', conversationId: conversation_id, body: message.content };
  }
  if (name === 'purchase_recorded') {
    const { conversation_id, amount } = payload as ServerEvent<'purchase_recorded'>;
    const body = t('Bought for {amount}', { amount: formatMoney(amount) });
    return { kind: 'sale', conversationId: conversation_id, body };
  }
  return null;
}

async function tell(news: News, { client, adminId, open }: Options, stopped: AbortSignal) {
  const { sound, shown } = deviceNotices.get();
  if (stopped.aborted || (!sound && shown === 'off')) return;
  const settings = await client.fetchQuery(notificationOptions).catch(() => null);
  const conversation =
    knownConversation(client, news.conversationId) ??
    (await fetchConversation(news.conversationId).catch(() => null));
  if (settings === null || isQuietAt(settings, new Date())) return;
  if (news.kind === 'sale' && !settings.sales) return;
  if (news.kind === 'message') {
    const isMine = conversation?.claimed_by === adminId;
    if (settings.fan_messages === 'none' || (settings.fan_messages === 'mine' && !isMine)) return;
    if (conversation?.unread_count === 0) return;
  }
  const path = `/inbox/${encodeURIComponent(news.conversationId)}`;
  const isSeen = document.hasFocus() && window.location.pathname === path;
  if (isSeen || stopped.aborted) return;
  if (sound) await playSound().catch(() => undefined);
  // What is pushed is shown by the service worker.
  if (shown !== 'tab' || permissionNow() !== 'granted') return;
  const text = news.kind === 'sale' || settings.shows_text ? news.body : t('New message');
  const notification = new Notification(
    conversation ? displayName(conversation.fan) : t('New message'),
    { body: text, tag: `${news.kind} ${news.conversationId}`, icon: '/icon-192.png' },
  );
  notification.onclick = () => {
    window.focus();
    notification.close();
    open(path);
  };
}
