import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import { type PlatformMessage, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import type { WebhookData, WebhookEvent, WebhookType } from '@stagedoor/contract/platform/webhooks';
import type { Database } from '../../db/database.ts';
import type { WebhookRefs } from '../../db/webhook-events.ts';
import { findFanOfConversation, findProfile } from '../../fans/fans/fans.store.ts';
import { findAcceptance } from '../../fans/invites/accept.store.ts';
import { findInvite } from '../../fans/invites/invites.store.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import { findMessageNow } from '../../messaging/messages/messages.store.ts';
import { presentForPlatform } from '../../messaging/messages/present.ts';
import { findAdjustment } from '../../selling/earnings/ledger.store.ts';
import { findClosedPeriod } from '../../selling/earnings/periods.store.ts';
import { findPurchaseById } from '../../selling/purchases/purchases.store.ts';
import { findTipById } from '../../selling/tips/tips.store.ts';
import { findAdmin } from '../../team/admins/admins.store.ts';
import { findCreator, presentCreator } from '../../team/creator/creator.store.ts';
import type { QueuedEvent } from './queues.store.ts';

/** Replaces the address of an erased person. */
const ERASED = 'erased';

/** The fields of an event that its body is built from. */
export type WebhookSource = Pick<QueuedEvent, 'type' | 'ref' | 'conversation_id' | 'created_at'>;

interface BodyDependencies {
  readonly db: Database;
  readonly links: MediaLinks;
  /** Returns the base of the URLs in a body, which must be absolute because the receiver opens them. */
  readonly base: () => string;
}

type ConversationFan = NonNullable<Awaited<ReturnType<typeof findFanOfConversation>>>;

/** Functions that return an event's current data; null if the data no longer exists. `fan` is null without a conversation. */
type Builders = {
  readonly [T in WebhookType]: (
    ref: WebhookRefs[T],
    fan: ConversationFan | null,
  ) => Promise<WebhookData<T> | null>;
};

/**
 * Creates a function that rebuilds an event's body for each attempt, because only ids are stored and links expire.
 * @returns a function that returns the body as JSON; null if there is nothing left to send
 */
export function createBodies(dependencies: BodyDependencies) {
  const builders = createBuilders(dependencies);
  return async function bodyOf(event: WebhookSource): Promise<string | null> {
    const { type, ref, conversation_id, created_at } = event;
    const fan =
      conversation_id === null
        ? null
        : await findFanOfConversation(dependencies.db, conversation_id);
    // `ref` was written for this type.
    const data = await builders[type](ref as never, fan);
    if (data === null) return null;
    const body = { type, timestamp: created_at.toISOString(), data } as WebhookEvent;
    return JSON.stringify(body);
  };
}

function createBuilders({ db, links, base }: BodyDependencies): Builders {
  async function messageFor(fan: ConversationFan, id: string): Promise<PlatformMessage | null> {
    const found = await findMessageNow(db, fan.conversation_id, id);
    if (found === null || found.message.unsent !== null) return null;
    return withAbsoluteUrls(presentForPlatform(found.message, fan, links), base());
  }
  const purchase = async ({ purchase_id }: WebhookRefs['purchase.recorded']) =>
    findPurchaseById(db, purchase_id);
  const tip = async ({ tip_id }: WebhookRefs['tip.recorded']) => findTipById(db, tip_id);
  return {
    async 'message.created'({ message_id }, fan) {
      const message = fan && (await messageFor(fan, message_id));
      return fan && message && { ...idsOf(fan), message };
    },
    async 'message.deleted'({ message_id }, fan) {
      return fan && { ...idsOf(fan), message_id };
    },
    async 'message.read'({ message_id }, fan) {
      const message = fan && (await messageFor(fan, message_id));
      if (!fan || !message || message.read_at === null) return null;
      return { ...idsOf(fan), up_to_message_id: message_id, read_at: message.read_at };
    },
    async 'reaction.toggled'({ message_id, action, emoji }, fan) {
      return fan && { ...idsOf(fan), message_id, action, emoji: ReactionEmoji.parse(emoji) };
    },
    async 'invite.created'({ invite_id }) {
      const invite = await findInvite(db, invite_id);
      if (invite === null || invite.email === ERASED) return null;
      const { email, benefit_type, created_at, expires_at } = invite;
      return { invite_id, email, benefit_type, created_at, expires_at };
    },
    async 'invite.accepted'({ invite_id }, fan) {
      const acceptance = await findAcceptance(db, invite_id);
      const profile = fan && (await findProfile(db, fan.conversation_id));
      if (!acceptance || !profile) return null;
      return {
        invite_id,
        fan: profile,
        benefit_type: acceptance.benefit_type,
        accepted_at: acceptance.accepted_at.toISOString(),
        benefit_ends_at: acceptance.benefit_ends_at?.toISOString() ?? null,
      };
    },
    'purchase.recorded': purchase,
    'purchase.refunded': purchase,
    'tip.recorded': tip,
    'tip.refunded': tip,
    'creator.updated': async () => presentCreator(await findCreator(db.kysely), base()),
    'period.closed': async ({ period_id }) => findClosedPeriod(db, period_id),
    'earning.adjusted': async ({ line_id }) => findAdjustment(db, line_id),
    async 'webhook.test'({ admin_id }) {
      const admin = await findAdmin(db.kysely, admin_id);
      return { sent_by: admin?.codename ?? '' };
    },
  };
}

const idsOf = ({ external_id, conversation_id }: ConversationFan) => ({
  fan: external_id,
  conversation_id,
});

function withAbsoluteUrls(message: PlatformMessage, base: string): PlatformMessage {
  const whole = (url: string) => new URL(url, base).href;
  const absolute = (url: string | null) => (url === null ? null : whole(url));
  const present = (attachment: FanVisibleAttachment): FanVisibleAttachment => ({
    ...attachment,
    url: absolute(attachment.url),
    thumbnail_url: absolute(attachment.thumbnail_url),
    preview_url: absolute(attachment.preview_url),
    ...(attachment.media && {
      media: attachment.media.map((file) => ({
        ...file,
        url: absolute(file.url),
        preview_url: whole(file.preview_url),
      })),
    }),
  });
  const { attachments, reply_to: quote } = message;
  return {
    ...message,
    attachments: attachments.map(present),
    reply_to: quote && { ...quote, attachments: quote.attachments.map(present) },
  };
}
