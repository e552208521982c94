import { mentionParts } from '@stagedoor/contract/messaging/mention-text';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import type { PushPayload } from '@stagedoor/contract/team/notifications';
import type { Database } from '../../db/database.ts';
import {
  findMentionNews,
  findNews,
  type MentionNews,
  type News,
  type Subscriber,
} from './notifications.store.ts';

/** The most characters of a message in a notification. */
const TEXT_CHARS = 120;

/** An occurrence that staff may be notified of. */
export type Happened =
  | { readonly kind: 'message'; readonly messageId: string }
  /** The amount in USD. */
  | { readonly kind: 'sale'; readonly messageId: string; readonly amount: number }
  | { readonly kind: 'mention'; readonly noteId: string; readonly adminId: string };

/** Returns the notification for a subscriber; null if it isn't for them or their settings exclude it. */
export type Notice = (to: Subscriber) => PushPayload | null;

/**
 * Returns at most one notice per group: for its first item that still exists and hasn't been read yet.
 */
export async function findNotices(
  db: Database,
  groups: readonly (readonly Happened[])[],
): Promise<readonly Notice[]> {
  const happened = groups.flat();
  const mentions = happened.filter((one) => one.kind === 'mention');
  const messageIds = happened.flatMap((one) => (one.kind === 'mention' ? [] : [one.messageId]));
  const news = new Map((await findNews(db, messageIds)).map((one) => [one.id, one]));
  const unread = new Map((await findMentionNews(db, mentions)).map((one) => [keyOf(one), one]));
  const noticeOf = (one: Happened): Notice[] => {
    if (one.kind === 'mention') {
      const about = unread.get(keyOf({ note_id: one.noteId, admin_id: one.adminId }));
      return about ? [mentionNotice(about)] : [];
    }
    const about = news.get(one.messageId);
    if (about === undefined) return [];
    if (one.kind === 'sale') return [saleNotice(about, one.amount)];
    return about.read_at === null ? [messageNotice(about)] : [];
  };
  return groups.flatMap((group) => group.flatMap(noticeOf).slice(0, 1));
}

const keyOf = ({ note_id, admin_id }: Pick<MentionNews, 'note_id' | 'admin_id'>) =>
  `${note_id} ${admin_id}`;

const messageNotice =
  ({ conversation_id, content, claimed_by, fan_name }: News): Notice =>
  ({ adminId, settings: { fan_messages: wanted, shows_text: showsText } }) =>
    wanted === 'all' || (wanted === 'mine' && claimed_by === adminId)
      ? { kind: 'message', conversation_id, title: cut(fan_name), body: bodyOf(content, showsText) }
      : null;

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

const saleNotice =
  ({ conversation_id, fan_name }: News, amount: number): Notice =>
  ({ settings }) =>
    settings.sales
      ? {
          kind: 'sale',
          conversation_id,
          title: cut(fan_name),
          body: `Paid ${usd.format(amount)}`,
        }
      : null;

const mentionNotice =
  ({ note_id, admin_id, conversation_id, fan_name, ...note }: MentionNews): Notice =>
  ({ adminId, settings }) =>
    adminId === admin_id && settings.mentions
      ? {
          kind: 'mention',
          conversation_id,
          note_id,
          title: cut(fan_name),
          body: settings.shows_text
            ? cut(`${note.author}: ${named(note)}`)
            : 'You were mentioned in a note',
        }
      : null;

/** Returns a note's text with mentions replaced by codenames. */
const named = ({ content, names }: Pick<MentionNews, 'content' | 'names'>): string =>
  mentionParts(content)
    .map((part) => ('text' in part ? part.text : `@${names[part.adminId] ?? 'unknown'}`))
    .join('');

function bodyOf(content: string, showsText: boolean): string {
  const text = content === ATTACHMENT_PLACEHOLDER ? '' : content.trim();
  if (!showsText) return 'New message';
  return text === '' ? 'New attachment' : cut(text);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > TEXT_CHARS ? `${characters.slice(0, TEXT_CHARS).join('')}…` : text;
}
