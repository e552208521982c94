import * as z from 'zod/mini';
import { FanVisibleMessage } from '../messaging/messages.ts';
import { timestamp } from '../primitives.ts';
import { CreatorProfile } from '../team/creator.ts';

/** The socket namespace of fans, whose handshake carries `auth: { token }` with a fan's session token. */
export const FAN_NAMESPACE = '/fan';

/**
 * What the server tells a fan's sockets, by event name; these send nothing themselves. Each `version` is the
 * conversation's after the change: a client drops what is older than it has seen of the same message.
 */
export const fanServerEvents = {
  /** Either side wrote. */
  new_message: z.object({
    message: FanVisibleMessage,
    version: z.int(),
    /** The fan's own id for it; null for the creator's messages. */
    client_id: z.nullable(z.string()),
  }),
  /** A reaction, a purchase or a refund changed a message: the whole of it as it is now. */
  message_updated: z.object({ message: FanVisibleMessage, version: z.int() }),
  /** `creator`: the fan's messages were read. `fan`: the fan read the creator's, in whichever window. */
  messages_read: z.object({
    reader: z.enum(['creator', 'fan']),
    read_at: timestamp,
    /** Messages with a `seq` up to this one. */
    up_to_seq: z.int(),
    version: z.int(),
  }),
  /** The creator has another picture. */
  creator_updated: z.object({ creator: CreatorProfile }),
} as const;

export type FanServerEventName = keyof typeof fanServerEvents;
export type FanServerEvent<N extends FanServerEventName> = z.infer<(typeof fanServerEvents)[N]>;

/** The event map in the form that Socket.IO's types take. */
export type ServerToFanEvents = {
  [N in FanServerEventName]: (payload: FanServerEvent<N>) => void;
};
