import * as z from 'zod/mini';
import { ErrorReply } from './errors.ts';
import { GlobalTag } from './fans/tags.ts';
import { Conversation, ConversationState } from './inbox/conversations.ts';
import { Draft } from './messaging/drafts.ts';
import {
  idempotencyKey,
  Message,
  Reaction,
  ReactionEmoji,
  SendMessageInput,
} from './messaging/messages.ts';
import { StaffNote } from './messaging/staff-notes.ts';
import { hexColor, lookupId, timestamp } from './primitives.ts';
import { AdminPermissions, AdminRole } from './team/auth.ts';
import { StaffMember } from './team/staff.ts';

/** How the web client's socket behaves; milliseconds. */
export const SOCKET_OPTIONS = {
  transports: ['websocket', 'polling'],
  reconnectionAttempts: 5,
  reconnectionDelay: 1_000,
  reconnectionDelayMax: 5_000,
  timeout: 20_000,
} as const;

/** The largest frame that the server takes, in bytes. */
export const SOCKET_MAX_FRAME_BYTES = 65_536;

const place = z.strictObject({ conversation_id: lookupId });

/** What one of staff's browsers has open. */
export const PresenceSeat = z.object({
  /** The same for as long as the browser stays connected. */
  seat: z.string(),
  member: StaffMember,
  /** Null: none any more. */
  conversation_id: z.nullable(z.string()),
  typing: z.boolean(),
});
export type PresenceSeat = z.infer<typeof PresenceSeat>;

/** Each node tells all of its seats again this often; milliseconds. Those of a node that was not heard for longer are gone. */
export const PRESENCE_EVERY_MS = 15_000;

/** What a client sends, by event name. */
export const clientEvents = {
  send_message: z.extend(SendMessageInput, { tempId: idempotencyKey }),
  toggle_reaction: z.strictObject({
    message_id: lookupId,
    emoji: ReactionEmoji,
    conversation_id: lookupId,
  }),
  /** The conversation is open in front of somebody, in place of the one before. Nothing is answered. */
  join_conversation: place,
  leave_conversation: place,
  /** A reply is being written; to be told again every few seconds. Nothing is answered. */
  typing_start: place,
  typing_stop: place,
} as const;

/** What the server sends, by event name. Each `version` is the conversation's after the change that is told. */
export const serverEvents = {
  /** Someone wrote. To every signed-in admin, the sender included. */
  new_message: z.object({
    conversation_id: z.string(),
    message: Message,
    seq: z.int(),
    version: z.int(),
    /** The conversation as this message left it. */
    conversation: ConversationState,
    /** The sender's own id for it; null for a fan's. */
    tempId: z.nullable(z.string()),
  }),
  /** The caller's message is stored. To the socket that sent it. */
  message_sent: z.object({ tempId: z.string(), message: Message }),
  /** Staff read the fan's messages. */
  message_read: z.object({
    conversation_id: z.string(),
    read_at: timestamp,
    up_to_message_id: z.string(),
    up_to_seq: z.int(),
    unread_count: z.int(),
    version: z.int(),
  }),
  /** The fan read the creator's messages. */
  fan_read: z.object({
    conversation_id: z.string(),
    read_at: timestamp,
    up_to_message_id: z.string(),
    up_to_seq: z.int(),
    version: z.int(),
  }),
  /** The caller's event was refused. To the socket that sent it. */
  message_error: z.extend(ErrorReply, {
    /** The send that failed. */
    tempId: z.optional(z.string()),
    /** The reaction that failed. */
    message_id: z.optional(z.string()),
    /** What was told of this conversation's being open, or typed in, that failed. */
    conversation_id: z.optional(z.string()),
  }),
  reaction_toggled: z.object({
    action: z.enum(['added', 'removed']),
    message_id: z.string(),
    conversation_id: z.string(),
    user_id: z.string(),
    reaction: Reaction,
    version: z.int(),
  }),
  /** The fan bought a product by one of its offers, which opens it in every message. */
  purchase_recorded: z.object({
    conversation_id: z.string(),
    message_id: z.string(),
    attachment_id: z.string(),
    product_id: z.string(),
    amount: z.number(),
    purchased_at: timestamp,
    version: z.int(),
  }),
  /** A purchase was refunded, which locks the product in every message unless another payment for it stands. */
  purchase_refunded: z.object({
    conversation_id: z.string(),
    message_id: z.string(),
    attachment_id: z.string(),
    product_id: z.string(),
    amount: z.number(),
    /** When the fan paid by the payment that stands; null: there is none. */
    purchased_at: z.nullable(timestamp),
    version: z.int(),
  }),
  /** Anything else about the conversation changed. */
  conversation_updated: z.object({ conversation: Conversation }),
  /** What the fan was told or promised changed. */
  statements_changed: z.object({ conversation_id: z.string() }),
  /** The fan was erased, and with them the conversation. */
  conversation_removed: z.object({ conversation_id: z.string() }),
  /** Something that staff work with changed: whoever shows it asks again. To all, or to those alone who have it. */
  shared_updated: z.object({
    what: z.enum(['templates', 'guard_rails', 'scheduled', 'fan']),
    /** Of `scheduled` and `fan`: where. */
    conversation_id: z.optional(z.string()),
  }),
  /** One of the staff left a note among the messages, or changed it. It is no part of the conversation's sequence. */
  staff_note_saved: z.object({
    note: StaffNote,
    /** The ids of those whom it names from now on and did not before, its author left out. */
    mentioned: z.array(z.string()),
  }),
  /** A note is gone. */
  staff_note_deleted: z.object({ conversation_id: z.string(), id: z.string() }),
  /** An admin has read mentions of theirs. To their own sockets. */
  mentions_read: z.object({ admin_id: z.string() }),
  /** Something was handed over to an admin, or they have accepted it. To their own sockets. */
  handovers_changed: z.object({ admin_id: z.string() }),
  /** A tag of the library was renamed or recoloured: it shows so on every fan that has it. */
  global_tag_updated: z.object({ tag: GlobalTag }),
  /** A tag of the library is gone, from every fan too. */
  global_tag_deleted: z.object({ id: z.string() }),
  /**
   * An admin was added, changed or removed; what they may do is in force already. To their own sockets and to those who
   * manage admins. `version` is the admin's.
   */
  admin_updated: z.object({
    admin_id: z.string(),
    permissions: AdminPermissions,
    role: AdminRole,
    codename: z.string(),
    display_color: hexColor,
    is_active: z.boolean(),
    version: z.int(),
  }),
  /** What an admin has pinned changed. To their own sockets. */
  pins_updated: z.object({}),
  /** An admin was renamed or recoloured: they show so wherever they claimed or wrote something. */
  staff_updated: z.object({ member: StaffMember }),
  /** The admin began to write something, or it is gone. To their own sockets. Of two states the one with the higher version counts. */
  draft_updated: z.object({
    conversation_id: z.string(),
    version: z.int(),
    draft: z.nullable(Draft),
  }),
  /** Which conversations colleagues have open, and where they type. */
  presence: z.object({
    /** Which of the processes tells. */
    node: z.string(),
    /** These are all that this process knows of. */
    whole: z.boolean(),
    seats: z.array(PresenceSeat),
  }),
} as const;

export type ClientEventName = keyof typeof clientEvents;
export type ServerEventName = keyof typeof serverEvents;
export type ClientEvent<N extends ClientEventName> = z.infer<(typeof clientEvents)[N]>;
export type ServerEvent<N extends ServerEventName> = z.infer<(typeof serverEvents)[N]>;

/** The event maps in the form that Socket.IO's types take. */
export type ClientToServerEvents = {
  [N in ClientEventName]: (payload: z.input<(typeof clientEvents)[N]>) => void;
};
export type ServerToClientEvents = { [N in ServerEventName]: (payload: ServerEvent<N>) => void };
