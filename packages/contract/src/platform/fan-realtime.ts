import * as z from 'zod/mini';
import { FanVisibleMessage } from '../messaging/messages.ts';
import { timestamp } from '../primitives.ts';
import { CreatorProfile } from '../team/creator.ts';

/** The socket namespace for fans. The handshake carries the fan's session token in `auth: { token }`. */
export const FAN_NAMESPACE = '/fan';

/**
 * Events that the server sends to a fan's sockets, by name; fans' sockets send none. Each `version` is the conversation's
 * version after the change. A client drops an update if it already has a newer state of the same message.
 */
export const fanServerEvents = {
  /** Either side sent a message. */
  new_message: z.object({
    message: FanVisibleMessage,
    version: z.int(),
    /** The id that the fan's client chose; null for the creator's messages. */
    client_id: z.nullable(z.string()),
  }),
  /** A reaction, purchase or refund changed a message. Contains the complete message. */
  message_updated: z.object({ message: FanVisibleMessage, version: z.int() }),
  /** The creator unsent a message. Its `seq` is not used again. Quotes of it lose their content. */
  message_deleted: z.object({
    conversation_id: z.string(),
    message_id: z.string(),
    seq: z.int(),
    version: z.int(),
  }),
  /** Messages were read. `creator`: staff read the fan's messages. `fan`: the fan read the creator's, in any window. */
  messages_read: z.object({
    reader: z.enum(['creator', 'fan']),
    read_at: timestamp,
    /** Messages with a `seq` up to and including this one are read. */
    up_to_seq: z.int(),
    version: z.int(),
  }),
  /** A tip of the fan was recorded or refunded. `getFanHome` returns the current tips. */
  tips_changed: z.object({}),
  creator_updated: z.object({ creator: CreatorProfile }),
} as const;

export type FanServerEventName = keyof typeof fanServerEvents;
export type FanServerEvent<N extends FanServerEventName> = z.infer<(typeof fanServerEvents)[N]>;

/** The event map in the form that Socket.IO's types expect. */
export type ServerToFanEvents = {
  [N in FanServerEventName]: (payload: FanServerEvent<N>) => void;
};
