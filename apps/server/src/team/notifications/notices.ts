import { mentionParts } from '@stagedoor/contract/messaging/mention-text';
import { ATTACHMENT_PLACEHOLDER } from '@stagedoor/contract/messaging/messages';
import type { PushPayload } from '@stagedoor/contract/team/notifications';
import type { Database } from '../../db/database.ts';
import type { Texts } from '../../texts.ts';
import type { PlanChange } from '../shifts/shifts.service.ts';
import * as store from './notifications.store.ts';

/** The maximum number of characters of a message in a notification. */
const TEXT_CHARS = 120;

/** An event that staff may be notified of. */
export type NotifiableEvent =
  | { readonly kind: 'message'; readonly messageId: string }
  /** The amount in USD. */
  | { readonly kind: 'sale'; readonly messageId: string; readonly amount: number }
  | { readonly kind: 'mention'; readonly noteId: string; readonly adminId: string }
  /** The admin's clock stopped. */
  | { readonly kind: 'clock'; readonly adminId: string }
  /** An admin asked managers for more time on their shift. */
  | { readonly kind: 'time'; readonly codename: string }
  | ({ readonly kind: 'earning' } & EarningNews)
  /** A manager granted the admin more time, until `until`. */
  | { readonly kind: 'granted'; readonly adminId: string; readonly until: string }
  | ({ readonly kind: 'shift' } & PlanChange);

/** An event about earnings. Its notification shows no amount. */
export interface EarningNews {
  readonly what: 'contested' | 'accepted' | 'rejected' | 'adjusted';
  readonly adminIds: readonly string[];
  /** Whether managers are notified, too. */
  readonly managers: boolean;
  /** The admin who caused the event, who isn't notified. */
  readonly except: string | null;
}

/** Returns the notification for a subscriber; null if it isn't for them or their settings exclude it. */
export type Notice = (to: store.Subscriber) => PushPayload | null;

/** Returns one notice per group, about the group's first item that still exists and is unread; none if there is no such item. */
export async function findNotices(
  db: Database,
  groups: readonly (readonly NotifiableEvent[])[],
): Promise<readonly Notice[]> {
  const happened = groups.flat();
  const mentions = happened.filter((one) => one.kind === 'mention');
  const messageIds = happened.flatMap((one) => ('messageId' in one ? [one.messageId] : []));
  const news = new Map((await store.findNews(db, messageIds)).map((one) => [one.id, one]));
  const unread = new Map(
    (await store.findMentionNews(db, mentions)).map((one) => [keyOf(one), one]),
  );
  const noticeOf = (one: NotifiableEvent): Notice[] => {
    if (one.kind === 'mention') {
      const about = unread.get(keyOf({ note_id: one.noteId, admin_id: one.adminId }));
      return about ? [mentionNotice(about)] : [];
    }
    if (one.kind === 'clock') return [clockNotice(one.adminId)];
    if (one.kind === 'time') return [timeNotice(one.codename)];
    if (one.kind === 'earning') return [earningNotice(one)];
    if (one.kind === 'granted') return [grantedNotice(one)];
    if (one.kind === 'shift') return [shiftNotice(one)];
    const about = news.get(one.messageId);
    if (about === undefined) return [];
    if (one.kind === 'sale') return [saleNotice(about, one.amount)];
    return about.read_at === null ? [messageNotice(about)] : [];
  };
  return groups.flatMap((group) => group.flatMap(noticeOf).slice(0, 1));
}

const keyOf = ({ note_id, admin_id }: Pick<store.MentionNews, 'note_id' | 'admin_id'>) =>
  `${note_id} ${admin_id}`;

const messageNotice =
  (about: store.News): Notice =>
  ({ adminId, texts: { t }, settings: { fan_messages: wanted, shows_text } }) =>
    wanted === 'all' || (wanted === 'mine' && about.claimed_by === adminId)
      ? { kind: 'message', ...headOf(about, t), body: bodyOf(about.content, shows_text, t) }
      : null;

const saleNotice =
  (about: store.News, amount: number): Notice =>
  ({ texts: { t, money }, settings }) =>
    settings.sales
      ? {
          kind: 'sale',
          ...headOf(about, t),
          body: t('Bought for {amount}', { amount: money.format(amount) }),
        }
      : null;

const mentionNotice =
  ({ note_id, admin_id, ...note }: store.MentionNews): Notice =>
  ({ adminId, texts: { t }, settings }) =>
    adminId === admin_id && settings.mentions
      ? {
          kind: 'mention',
          note_id,
          ...headOf(note, t),
          body: settings.shows_text
            ? cut(`${note.author}: ${named(note)}`)
            : t('You were mentioned in a note'),
        }
      : null;

const clockNotice =
  (stopped: string): Notice =>
  ({ adminId, texts: { t } }) =>
    adminId === stopped
      ? {
          kind: 'clock',
          title: t('Your clock stopped'),
          body: t('You weren’t active for a while. Clock in again when you continue.'),
        }
      : null;

const timeNotice =
  (codename: string): Notice =>
  ({ manages, texts: { t } }) =>
    manages
      ? {
          kind: 'time',
          title: t('{name} asks for more time', { name: codename }),
          body: t('Grant 30 more minutes under Shifts'),
        }
      : null;

const earningNotice =
  ({ what, adminIds, managers, except }: EarningNews): Notice =>
  ({ adminId, manages, texts: { t } }) => {
    const isConcerned = adminIds.includes(adminId) || (managers && manages);
    if (!isConcerned || adminId === except) return null;
    const titles = {
      contested: t('An earning was contested'),
      accepted: t('A contest was accepted'),
      rejected: t('A contest was rejected'),
      adjusted: t('Your earnings were adjusted'),
    };
    return { kind: 'earning', title: titles[what], body: t('See Earnings') };
  };

const grantedNotice =
  (granted: { readonly adminId: string; readonly until: string }): Notice =>
  ({ adminId, texts: { t, locale }, settings: { time_zone } }) =>
    adminId === granted.adminId
      ? {
          kind: 'granted',
          title: t('You have more time'),
          body: t('You can work until {time}', {
            time: new Intl.DateTimeFormat(locale, {
              hour: '2-digit',
              minute: '2-digit',
              timeZone: time_zone,
              timeZoneName: 'short',
            }).format(new Date(granted.until)),
          }),
        }
      : null;

const shiftNotice =
  ({ starts_at, ends_at, ...change }: PlanChange): Notice =>
  ({ adminId, texts: { t, locale }, settings: { time_zone } }) =>
    adminId === change.adminId
      ? {
          kind: 'shift',
          title: SHIFT_TITLES[change.what](t, change.count),
          body: new Intl.DateTimeFormat(locale, {
            weekday: 'short',
            day: 'numeric',
            month: 'short',
            hour: '2-digit',
            minute: '2-digit',
            timeZone: time_zone,
            timeZoneName: 'short',
          }).formatRange(new Date(starts_at), new Date(ends_at)),
        }
      : null;

const SHIFT_TITLES = {
  planned: (t: Texts['t'], count: number) =>
    t('{count, plural, one {You have a new shift} other {You have # new shifts}}', { count }),
  moved: (t: Texts['t'], count: number) =>
    t('{count, plural, one {Your shift was moved} other {# of your shifts were moved}}', { count }),
  deleted: (t: Texts['t'], count: number) =>
    t('{count, plural, one {Your shift was deleted} other {# of your shifts were deleted}}', {
      count,
    }),
};

const headOf = (
  { conversation_id, fan_name }: Pick<store.News, 'conversation_id' | 'fan_name'>,
  t: Texts['t'],
) => ({ conversation_id, title: cut(fan_name ?? t('Unnamed fan')) });

/** Returns a note's text with mentions replaced by codenames. */
const named = ({ content, names }: Pick<store.MentionNews, 'content' | 'names'>): string =>
  mentionParts(content)
    .map((part) => ('text' in part ? part.text : `@${names[part.adminId] ?? 'unknown'}`))
    .join('');

function bodyOf(content: string, showsText: boolean, t: Texts['t']): string {
  const text = content === ATTACHMENT_PLACEHOLDER ? '' : content.trim();
  if (!showsText) return t('New message');
  return text === '' ? t('New attachment') : cut(text);
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > TEXT_CHARS ? `${characters.slice(0, TEXT_CHARS).join('')}…` : text;
}
