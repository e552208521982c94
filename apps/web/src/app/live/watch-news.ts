import { formatMoney } from '@stagedoor/browser/money';
import { listMentions } from '@stagedoor/contract/messaging/mentions';
import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { QueryClient } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { keepServiceWorker } from '../../lib/server/service-worker.ts';
import { onServerEvent } from '../../lib/server-event-bus.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { fetchConversation } from '../../messaging/messages/queries.ts';
import { toWritten } from '../../messaging/staff-notes/mention-writing.ts';
import { deviceNotices, permissionNow, renewPush } from '../../team/notifications/device.ts';
import { notificationOptions } from '../../team/notifications/queries.ts';
import { isQuietAt } from '../../team/notifications/quiet-hours.ts';
import { playSound } from '../../team/notifications/sound.ts';
import { inboxPath, messagesPath } from '../inbox/use-open-conversation.ts';
import { knownConversation } from './live-inbox.ts';

/** Milliseconds before a notification. News that is visible in any window is marked read by then and needs no notification. */
const READ_FIRST_MS = 2_500;

interface News {
  kind: 'message' | 'sale' | 'mention';
  conversationId: string;
  noteId?: string;
  body: string;
  /** The text to use if message texts must not be shown. */
  discreet: string;
}

interface Options {
  client: QueryClient;
  adminId: string;
  open: (path: string) => void;
}

/**
 * Plays sounds and shows notifications while the page is open. Only one tab of the browser does so.
 * @returns a function that stops this
 */
export function watchNews(options: Options): () => void {
  const stopping = new AbortController();
  void keepServiceWorker();
  const onMessage = ({ data }: MessageEvent<{ kind?: string; path?: string }>) => {
    if (data.kind === 'open' && data.path !== undefined) options.open(data.path);
  };
  navigator.serviceWorker?.addEventListener('message', onMessage, { signal: stopping.signal });
  renewPush(options.client).catch((error: unknown) =>
    console.info('Push notifications are not available', error),
  );
  const listen = () =>
    new Promise<void>((resolve) => {
      const stop = onServerEvent((name, payload) => {
        const news = newsOf(name, payload, options.adminId);
        if (news !== null)
          setTimeout(() => void notify(news, options, stopping.signal), READ_FIRST_MS);
      });
      stopping.signal.addEventListener('abort', () => {
        stop();
        resolve();
      });
    });
  // The tab that holds the lock notifies. When it closes, another tab gets the lock.
  const { locks } = navigator as Partial<Navigator>;
  // Locks need a secure context. Without them every tab notifies.
  if (!locks) void listen();
  else locks.request('stagedoor_news', { signal: stopping.signal }, listen).catch(() => undefined);
  return () => stopping.abort();
}

function newsOf(name: string, payload: unknown, adminId: string): News | null {
  if (name === 'new_message') {
    const { message, conversation_id } = payload as ServerEvent<'new_message'>;
    if (message.author !== null) return null;
    return {
      kind: 'message',
      conversationId: conversation_id,
      body: message.content,
      discreet: t('New message'),
    };
  }
  if (name === 'purchase_recorded') {
    const { conversation_id, amount } = payload as ServerEvent<'purchase_recorded'>;
    const body = t('Bought for {amount}', { amount: formatMoney(amount) });
    return { kind: 'sale', conversationId: conversation_id, body, discreet: body };
  }
  if (name === 'staff_note_saved') {
    const { note, mentioned } = payload as ServerEvent<'staff_note_saved'>;
    if (!mentioned.includes(adminId)) return null;
    return {
      kind: 'mention',
      conversationId: note.conversation_id,
      noteId: note.id,
      body: `${note.author.codename}: ${toWritten(note.content, note.mentions)}`,
      discreet: t('You were mentioned in a note'),
    };
  }
  return null;
}

/** Returns whether a note that mentions the admin is still unread; true if that can't be checked. */
async function isUnseen(noteId: string | undefined): Promise<boolean> {
  const page = await call(listMentions, { query: {} }).catch(() => null);
  return page?.data.some(({ note, read_at }) => note.id === noteId && read_at === null) ?? true;
}

async function notify(news: News, { client, adminId, open }: Options, stopped: AbortSignal) {
  const { sound, shown } = deviceNotices.get();
  if (stopped.aborted || (!sound && shown === 'off')) return;
  const settings = await client.fetchQuery(notificationOptions).catch(() => null);
  const conversation =
    knownConversation(client, news.conversationId) ??
    (await fetchConversation(news.conversationId).catch(() => null));
  if (settings === null || isQuietAt(settings, new Date())) return;
  if (news.kind === 'sale' && !settings.sales) return;
  if (news.kind === 'mention' && !(settings.mentions && (await isUnseen(news.noteId)))) return;
  if (news.kind === 'message') {
    const isMine = conversation?.claimed_by === adminId;
    if (settings.fan_messages === 'none' || (settings.fan_messages === 'mine' && !isMine)) return;
    if (conversation?.unread_count === 0) return;
  }
  const paths = [inboxPath(news.conversationId), messagesPath(news.conversationId)];
  const isSeen = document.hasFocus() && paths.includes(window.location.pathname);
  if (isSeen || stopped.aborted) return;
  // Not awaited: the browser may block the sound.
  if (sound) playSound().catch((error: unknown) => console.info('No sound was played', error));
  // Push notifications are shown by the service worker.
  if (shown === 'off' || (shown === 'push' && settings.is_subscribed)) return;
  if (permissionNow() !== 'granted') return;
  const notification = new Notification(
    conversation ? displayName(conversation.fan) : news.discreet,
    {
      body: settings.shows_text ? news.body : news.discreet,
      tag: `${news.kind} ${news.conversationId}`,
      icon: '/icon-192.png',
    },
  );
  notification.onclick = () => {
    window.focus();
    notification.close();
    open(inboxPath(news.conversationId, news.noteId));
  };
}
