import * as z from 'zod/mini';
import { del, get, put } from '../endpoint.ts';
import { dataOf, schemaNames, text, timeZone } from '../primitives.ts';

/** The fan messages that an admin is notified of: all, those in conversations they have claimed, or none. */
export const FanMessageNotices = z.enum(['all', 'mine', 'none']);
export type FanMessageNotices = z.infer<typeof FanMessageNotices>;

const minuteOfDay = z.int().check(z.gte(0), z.lte(1_439));

const settingsFields = {
  fan_messages: FanMessageNotices,
  sales: z.boolean(),
  mentions: z.boolean(),
  /** Whether a notification contains the text of the message or note, or only says that there is one. */
  shows_text: z.boolean(),
  /** The hours without notifications, in minutes since midnight in `time_zone`; may cross midnight. Null if there are none. */
  quiet: z.nullable(z.strictObject({ from: minuteOfDay, to: minuteOfDay })),
  time_zone: timeZone,
};

/** An admin's notification settings, for all their devices. */
export const NotificationSettings = z
  .strictObject(settingsFields)
  .register(schemaNames, { id: 'NotificationSettings' });
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** The decrypted content of a push notification. */
export interface PushPayload {
  /** A click opens the shifts for `clock`, `time`, `granted` and `shift`, the earnings for `earning`, else a conversation. */
  readonly kind:
    | 'message'
    | 'sale'
    | 'mention'
    | 'clock'
    | 'time'
    | 'granted'
    | 'shift'
    | 'earning';
  readonly conversation_id?: string;
  /** The note that mentions the admin; only for a mention. */
  readonly note_id?: string;
  readonly title: string;
  readonly body: string;
}

export const getNotificationSettings = get('/api/notifications/settings', {
  summary: 'The caller’s notification settings, and the key that browsers need to subscribe.',
  auth: 'admin',
  replies: {
    200: dataOf({
      ...NotificationSettings.shape,
      /** The server's public key, in base64url. */
      push_key: z.string(),
      /** Whether this session's browser receives push notifications. */
      is_subscribed: z.boolean(),
    }),
  },
});

export const updateNotificationSettings = put('/api/notifications/settings', {
  isWork: false,
  summary: 'Save the caller’s notification settings.',
  auth: 'admin',
  body: NotificationSettings,
  replies: { 200: z.object({ data: NotificationSettings }) },
});

const base64url = (bytes: number) =>
  z
    .string()
    .check(
      z.regex(
        new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`),
        `Must be ${bytes} bytes in base64url`,
      ),
    );

export const subscribeToPush = put('/api/notifications/subscription', {
  isWork: false,
  summary:
    'Send push notifications to this session’s browser until the session ends. The body is the subscription from the browser’s push service.',
  auth: 'admin',
  body: z.strictObject({
    endpoint: text(1_000),
    keys: z.strictObject({
      /** The browser's public key. */
      p256dh: base64url(65),
      auth: base64url(16),
    }),
  }),
  replies: { 204: null },
});

export const unsubscribeFromPush = del('/api/notifications/subscription', {
  isWork: false,
  summary: 'Stop push notifications to this session’s browser.',
  auth: 'admin',
  replies: { 204: null },
});
