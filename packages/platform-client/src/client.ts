import { randomUUID } from 'node:crypto';
import type { Endpoint, EndpointInput, EndpointReply } from '@stagedoor/contract/endpoint';
import { acceptInvite } from '@stagedoor/contract/fans/invites';
import type { FanVisibleAttachment } from '@stagedoor/contract/media';
import type { FanVisibleMessage, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import type { FanProfileInput, PlatformFan, Purchase } from '@stagedoor/contract/platform/platform';
import * as platform from '@stagedoor/contract/platform/platform';
import { type CallOptions, createTransport, type TransportOptions } from './transport.ts';

export { PlatformError, type PlatformErrorCode } from './platform-error.ts';
export type { CallOptions } from './transport.ts';
export type PlatformClientOptions = TransportOptions;
export type PlatformClient = ReturnType<typeof createPlatformClient>;

/** A file to upload. A Blob of `fs.openAsBlob` is read while it is sent. */
export interface UploadFile {
  readonly name: string;
  readonly content: Blob | Uint8Array<ArrayBuffer>;
}

type Body<E extends Endpoint> = EndpointInput<E> extends { body: infer B } ? B : never;
type Data<E extends Endpoint> = EndpointReply<E> extends { data: infer D } ? D : never;

/** A fan's message; `client_id` is made up where there is none, and is the same at each repetition of the call. */
export type NewFanMessage = Omit<Body<typeof platform.postFanMessage>, 'client_id'> & {
  readonly client_id?: string;
};

/** Messages that one page has at most, and has when a conversation is walked through. */
const PAGE_MAX = 100;

/**
 * A client of the platform API. `fan` is always the platform's own id for the fan. Every method throws a PlatformError when
 * the call fails; those that can be repeated safely are repeated before.
 */
export function createPlatformClient(options: TransportOptions) {
  const call = createTransport(options);
  const data = async <T>(reply: Promise<unknown>) => ((await reply) as { data: T }).data;
  const repeatable = { repetition: 'repeatable' } as const;

  const listMessages = (
    fan: string,
    { before, limit, ...rest }: CallOptions & { before?: string; limit?: number } = {},
  ) =>
    data<FanVisibleMessage[]>(
      call(platform.listFanMessages, {
        params: { fan },
        query: { before, limit },
        ...repeatable,
        ...rest,
      }),
    );

  return {
    /** Creates or updates a fan; what is left out keeps its value, null clears it. */
    putFan: (fan: string, profile: FanProfileInput = {}, rest: CallOptions = {}) =>
      data<PlatformFan>(
        call(platform.putFan, { params: { fan }, body: profile, ...repeatable, ...rest }),
      ),

    /** The fan writes. Pass a `client_id` of your own if the same message may be sent again by another process. */
    sendMessage: (fan: string, message: NewFanMessage, rest: CallOptions = {}) =>
      data<FanVisibleMessage>(
        call(platform.postFanMessage, {
          params: { fan },
          body: { ...message, client_id: message.client_id ?? randomUUID() },
          ...repeatable,
          ...rest,
        }),
      ),

    /**
     * Uploads files for a message of the fan's, which names them as `attachment_ids` within a day. Never repeated by itself:
     * what is large is yours to send again.
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

    /** A page of the conversation as the fan may see it, the newest first: up to `limit` (1 to 100) older than `before`. */
    listMessages,

    /** The whole conversation, the newest message first, fetched page by page as it is walked through. */
    async *eachMessage(fan: string, rest: CallOptions = {}): AsyncGenerator<FanVisibleMessage> {
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

    /** The fan has read the creator's messages, up to and with this one. */
    markRead: (fan: string, upToMessageId: string, rest: CallOptions = {}) =>
      data<Data<typeof platform.postFanRead>>(
        call(platform.postFanRead, {
          params: { fan },
          body: { up_to_message_id: upToMessageId },
          ...repeatable,
          ...rest,
        }),
      ),

    /** Toggles the fan's reaction. As a second call takes it back, a lost answer is thrown and not tried again. */
    react: (fan: string, messageId: string, emoji: ReactionEmoji, rest: CallOptions = {}) =>
      data<Data<typeof platform.postFanReaction>>(
        call(platform.postFanReaction, {
          params: { fan },
          body: { message_id: messageId, emoji },
          repetition: 'unless_done',
          ...rest,
        }),
      ),

    /** The fan paid, which unlocks what the message offers. A `payment_reference` counts once. */
    recordPurchase: (sale: Body<typeof platform.recordPurchase>, rest: CallOptions = {}) =>
      data<Purchase>(call(platform.recordPurchase, { body: sale, ...repeatable, ...rest })),

    /** The payment was given back, which locks the attachment again. */
    recordRefund: (refund: Body<typeof platform.recordRefund>, rest: CallOptions = {}) =>
      data<Purchase>(call(platform.recordRefund, { body: refund, ...repeatable, ...rest })),

    /** Erases the fan's personal data, messages and files, for good. */
    async eraseFan(fan: string, rest: CallOptions = {}): Promise<void> {
      const request = { params: { fan }, doneBy: 'fan_not_found', ...repeatable, ...rest } as const;
      await call(platform.eraseFan, request);
    },

    /** A link that lets the fan into the fan client, within ten minutes. Hand it to nobody else. */
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

    /** Ends all of the fan's sessions in the fan client, and voids the links to it. */
    async endSessions(fan: string, rest: CallOptions = {}): Promise<void> {
      await call(platform.endFanSessions, { params: { fan }, ...repeatable, ...rest });
    },

    /** Set the fan’s trial or subscription; a null status means neither. */
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

    /** The display name and the picture that fans see. */
    getCreator: (rest: CallOptions = {}) =>
      data<Data<typeof platform.getCreator>>(call(platform.getCreator, { ...repeatable, ...rest })),

    /** The fan accepts an invitation, by the token of its link. The same fan again gets the same. */
    acceptInvite: (token: string, fan: string, rest: CallOptions = {}) =>
      data<Data<typeof acceptInvite>>(
        call(acceptInvite, { params: { token }, body: { fan }, ...repeatable, ...rest }),
      ),
  };
}
