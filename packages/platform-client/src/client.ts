import { randomUUID } from 'node:crypto';
import type { Endpoint, EndpointInput, EndpointReply } from '@stagedoor/contract/endpoint';
import { acceptInvite } from '@stagedoor/contract/fans/invites';
import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import type { PlatformMessage, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import type {
  FanProfileInput,
  PlatformFan,
  Purchase,
  Tip,
} from '@stagedoor/contract/platform/platform';
import * as platform from '@stagedoor/contract/platform/platform';
import { type CallOptions, createTransport, type TransportOptions } from './transport.ts';

export { PlatformError, type PlatformErrorCode } from './platform-error.ts';
export type { CallOptions } from './transport.ts';
export type PlatformClientOptions = TransportOptions;
export type PlatformClient = ReturnType<typeof createPlatformClient>;

/** A file to upload. A Blob from `fs.openAsBlob` is streamed from disk. */
export interface UploadFile {
  readonly name: string;
  readonly content: Blob | Uint8Array<ArrayBuffer>;
}

type Body<E extends Endpoint> = EndpointInput<E> extends { body: infer B } ? B : never;
type Data<E extends Endpoint> = EndpointReply<E> extends { data: infer D } ? D : never;

/** A fan's message. Without a `client_id`, the client generates an id and uses it for every retry of the call. */
export type NewFanMessage = Omit<Body<typeof platform.postFanMessage>, 'client_id'> & {
  readonly client_id?: string;
};

/** The largest page of messages, used to iterate over a conversation. */
const PAGE_MAX = 100;

/**
 * Creates a client for the platform API. `fan` is always the platform's id for the fan. Every method throws a PlatformError if
 * the call fails; calls that are safe to retry are retried first.
 */
export function createPlatformClient(options: TransportOptions) {
  const call = createTransport(options);
  const data = async <T>(reply: Promise<unknown>) => ((await reply) as { data: T }).data;
  const repeatable = { repetition: 'repeatable' } as const;

  const listMessages = (
    fan: string,
    { before, limit, ...rest }: CallOptions & { before?: string; limit?: number } = {},
  ) =>
    data<PlatformMessage[]>(
      call(platform.listFanMessages, {
        params: { fan },
        query: { before, limit },
        ...repeatable,
        ...rest,
      }),
    );

  return {
    /** Creates or updates a fan. An omitted field keeps its value; null clears it. */
    putFan: (fan: string, profile: FanProfileInput = {}, rest: CallOptions = {}) =>
      data<PlatformFan>(
        call(platform.putFan, { params: { fan }, body: profile, ...repeatable, ...rest }),
      ),

    /** Sends a message from the fan. Pass your own `client_id` if another process may send the same message again. */
    sendMessage: (fan: string, message: NewFanMessage, rest: CallOptions = {}) =>
      data<PlatformMessage>(
        call(platform.postFanMessage, {
          params: { fan },
          body: { ...message, client_id: message.client_id ?? randomUUID() },
          ...repeatable,
          ...rest,
        }),
      ),

    /**
     * Uploads files for a fan's message. Pass their ids in the message's `attachment_ids` within a day. Never retried
     * automatically, because uploads can be large.
     */
    async uploadFiles(
      fan: string,
      files: readonly UploadFile[],
      rest: CallOptions = {},
    ): Promise<FanVisibleAttachment[]> {
      const form = new FormData();
      for (const { name, content } of files) {
        form.append('files', content instanceof Blob ? content : new Blob([content]), name);
      }
      const request = { params: { fan }, body: form, repetition: 'never', ...rest } as const;
      const reply = await call(platform.uploadFanFiles, request);
      return (reply as { attachments: FanVisibleAttachment[] }).attachments;
    },

    /** Returns a page of the conversation as the fan sees it, newest first: up to `limit` (1 to 100) messages before `before`. */
    listMessages,

    /** Iterates over the whole conversation, newest message first, fetching page by page. */
    async *eachMessage(fan: string, rest: CallOptions = {}): AsyncGenerator<PlatformMessage> {
      let before: string | undefined;
      do {
        const page = await listMessages(fan, {
          limit: PAGE_MAX,
          ...(before !== undefined && { before }),
          ...rest,
        });
        yield* page;
        before = page.length === PAGE_MAX ? page.at(-1)?.id : undefined;
      } while (before !== undefined);
    },

    /** Marks the creator's messages as read by the fan, up to and including this one. */
    markRead: (fan: string, upToMessageId: string, rest: CallOptions = {}) =>
      data<Data<typeof platform.postFanRead>>(
        call(platform.postFanRead, {
          params: { fan },
          body: { up_to_message_id: upToMessageId },
          ...repeatable,
          ...rest,
        }),
      ),

    /** Toggles the fan's reaction. Not retried after a lost response, because a second call would remove the reaction. */
    react: (fan: string, messageId: string, emoji: ReactionEmoji, rest: CallOptions = {}) =>
      data<Data<typeof platform.postFanReaction>>(
        call(platform.postFanReaction, {
          params: { fan },
          body: { message_id: messageId, emoji },
          repetition: 'unless_done',
          ...rest,
        }),
      ),

    /** Records that the fan paid, which unlocks the product. Each `payment_reference` counts once. */

    recordPurchase: (sale: Body<typeof platform.recordPurchase>, rest: CallOptions = {}) =>
      data<Purchase>(call(platform.recordPurchase, { body: sale, ...repeatable, ...rest })),

    /** Records a tip. Each `payment_reference` counts once. */
    recordTip: (tip: Body<typeof platform.recordTip>, rest: CallOptions = {}) =>
      data<Tip>(call(platform.recordTip, { body: tip, ...repeatable, ...rest })),

    /** Records that a purchase or a tip was refunded. A refunded product locks again. */
    recordRefund: (refund: Body<typeof platform.recordRefund>, rest: CallOptions = {}) =>
      data<Purchase | Tip>(call(platform.recordRefund, { body: refund, ...repeatable, ...rest })),

    /** Permanently erases the fan's personal data, messages and files. */
    async eraseFan(fan: string, rest: CallOptions = {}): Promise<void> {
      const request = { params: { fan }, doneBy: 'fan_not_found', ...repeatable, ...rest } as const;
      await call(platform.eraseFan, request);
    },

    /** Creates a link that signs the fan in to the fan client, valid for ten minutes. Give it only to the fan. */
    createSession: (
      fan: string,
      settings: NonNullable<Body<typeof platform.createFanSession>> = {},
      rest: CallOptions = {},
    ) =>
      data<Data<typeof platform.createFanSession>>(
        call(platform.createFanSession, {
          params: { fan },
          body: settings,
          ...repeatable,
          ...rest,
        }),
      ),

    /** Ends all of the fan's sessions in the fan client and invalidates their session links. */
    async endSessions(fan: string, rest: CallOptions = {}): Promise<void> {
      await call(platform.endFanSessions, { params: { fan }, ...repeatable, ...rest });
    },

    /** Sets the fan’s trial or subscription; a null status means neither. */
    putSubscription: (
      fan: string,
      subscription: Body<typeof platform.putSubscription>,
      rest: CallOptions = {},
    ) =>
      data<Data<typeof platform.putSubscription>>(
        call(platform.putSubscription, {
          params: { fan },
          body: subscription,
          ...repeatable,
          ...rest,
        }),
      ),

    /** Returns the creator's display name and picture as fans see them. */
    getCreator: (rest: CallOptions = {}) =>
      data<Data<typeof platform.getCreator>>(call(platform.getCreator, { ...repeatable, ...rest })),

    /** Accepts an invitation for the fan, with the token from its link. A retry for the same fan returns the same result. */
    acceptInvite: (token: string, fan: string, rest: CallOptions = {}) =>
      data<Data<typeof acceptInvite>>(
        call(acceptInvite, { params: { token }, body: { fan }, ...repeatable, ...rest }),
      ),
  };
}
