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
  Unsent,
} from './messaging/messages.ts';
import { StaffNote } from './messaging/staff-notes.ts';
import { hexColor, lookupId, timestamp } from './primitives.ts';
import { CampaignState } from './selling/campaign-state.ts';
import { ThreadTip } from './selling/tips.ts';
import { AdminPermissions, AdminRole } from './team/auth.ts';
import { StaffMember } from './team/staff.ts';

/** The web client's socket settings. Times are in milliseconds. */
export const SOCKET_OPTIONS = {
  transports: ['websocket', 'polling'],
  reconnectionAttempts: 5,
  reconnectionDelay: 1_000,
  reconnectionDelayMax: 5_000,
  timeout: 20_000,
} as const;

/** The largest frame that the server accepts, in bytes. */
export const SOCKET_MAX_FRAME_BYTES = 65_536;

const inConversation = z.strictObject({ conversation_id: lookupId });

/** The conversation that one staff socket has open. */
export const PresenceSeat = z.object({
  /** Identifies a socket while it has a conversation open. */
  seat: z.string(),
  member: StaffMember,
  /** Null once the socket has left it. */
  conversation_id: z.nullable(z.string()),
  typing: z.boolean(),
});
export type PresenceSeat = z.infer<typeof PresenceSeat>;

/** How often each node rebroadcasts all its seats, in milliseconds. Clients drop the seats of a node that has gone silent. */
export const PRESENCE_EVERY_MS = 15_000;

/** Events that a client sends, by name. */
export const clientEvents = {
  send_message: z.extend(SendMessageInput, { tempId: idempotencyKey }),
  toggle_reaction: z.strictObject({
    message_id: lookupId,
    emoji: ReactionEmoji,
    conversation_id: lookupId,
  }),
  /** The client opened this conversation, replacing the one it had open. There is no reply. */
  join_conversation: inConversation,
  leave_conversation: inConversation,
  /** Someone is typing. The client repeats it every few seconds. There is no reply. */
  typing_start: inConversation,
  typing_stop: inConversation,
} as const;

/**
 * Events that only report presence. All other events count as work, like non-GET calls: they are refused outside a shift if the
 * team requires shifts.
 */
export const presenceEvents: ReadonlySet<string> = new Set([
  'join_conversation',
  'leave_conversation',
  'typing_start',
  'typing_stop',
] satisfies ClientEventName[]);
/** Events that keep the sender's time clock running. */
export const actEvents: ReadonlySet<string> = new Set([
  'send_message',
  'toggle_reaction',
] satisfies ClientEventName[]);

/** A campaign's latest progress, without counts. */
const campaignStep = {
  campaign_id: z.string(),
  state: CampaignState,
  /** The conversations that just got or lost the message; at most a few hundred. */
  conversation_ids: z.array(z.string()),
  /** The states of those conversations, in the same order. Missing in events that an older version of the server emitted. */
  states: z.optional(z.array(z.object({ version: z.int(), last_seq: z.int() }))),
};

/** How far a conversation is read. */
const readUpTo = z.object({
  conversation_id: z.string(),
  read_at: timestamp,
  up_to_message_id: z.string(),
  up_to_seq: z.int(),
  version: z.int(),
});

const purchase = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  attachment_id: z.string(),
  product_id: z.string(),
  amount: z.number(),
  purchased_at: timestamp,
  version: z.int(),
});

const tip = z.object({ conversation_id: z.string(), ...ThreadTip.shape, version: z.int() });

/** Events that the server sends, by name. Each `version` is the conversation's version after the change. */
export const serverEvents = {
  /** A fan or an admin sent a message. Sent to every signed-in admin, including the sender. */
  new_message: z.object({
    conversation_id: z.string(),
    message: Message,
    seq: z.int(),
    version: z.int(),
    conversation: ConversationState,
    /** The id that the sender's client chose; null for a fan's message. */
    tempId: z.nullable(z.string()),
  }),
  /** The caller's message is stored. Sent only to the sender's socket. */
  message_sent: z.object({ tempId: z.string(), message: Message }),
  /** Staff read the fan's messages. */
  message_read: z.extend(readUpTo, { unread_count: z.int() }),
  /** The fan read the creator's messages. */
  fan_read: readUpTo,
  /** The caller's event was refused. Sent only to the sender's socket. */
  message_error: z.extend(ErrorReply, {
    tempId: z.optional(z.string()),
    message_id: z.optional(z.string()),
    /** The conversation whose presence or typing event failed. */
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
  /** A message from the creator was unsent. It keeps its `seq` but has no content. */
  message_unsent: z.object({
    conversation_id: z.string(),
    message_id: z.string(),
    seq: z.int(),
    unsent: Unsent,
    last_message_content: z.nullable(z.string()),
    last_message_by: z.nullable(z.string()),
    waiting_since: z.nullable(timestamp),
    version: z.int(),
  }),
  /** The fan bought an offered product, which unlocks in every message. */
  purchase_recorded: purchase,
  /** A purchase was refunded. The product locks in every message unless the fan has another valid payment for it. */
  purchase_refunded: z.extend(purchase, {
    /** When the fan made the other valid payment; null without one. */
    purchased_at: z.nullable(timestamp),
  }),
  /** The fan tipped. */
  tip_recorded: tip,
  /** A tip was refunded. */
  tip_refunded: tip,
  /** Anything else about the conversation changed. */
  conversation_updated: z.object({ conversation: Conversation }),
  statements_changed: z.object({ conversation_id: z.string() }),
  /** The fan was erased, along with the conversation. */
  conversation_removed: z.object({ conversation_id: z.string() }),
  /** Shared data changed: clients that show it fetch it again. Sent to all staff, or only to the admins who can see it. */
  shared_updated: z.object({
    what: z.enum([
      'templates',
      'guard_rails',
      'scheduled',
      'fan',
      'creator',
      'segments',
      'earnings',
      'shifts',
    ]),
    /** For `scheduled` and `fan`: the conversation that changed. */
    conversation_id: z.optional(z.string()),
  }),
  /**
   * A campaign changed its state, or sent or unsent messages. Staff get no event for each of these messages: a client refetches
   * the conversations that it has open. Only admins who may see the campaign get the counts.
   */
  campaign_progress: z.union([
    z.object({
      ...campaignStep,
      audience: z.int(),
      sent: z.int(),
      skipped: z.int(),
      unsent: z.int(),
    }),
    z.object(campaignStep),
  ]),
  /** A staff note was added or edited. Staff notes have no `seq` in the conversation. */
  staff_note_saved: z.object({
    note: StaffNote,
    /** The ids of the admins that this change newly mentions, without the author. */
    mentioned: z.array(z.string()),
  }),
  staff_note_deleted: z.object({ conversation_id: z.string(), id: z.string() }),
  /** An admin read some of their mentions. Sent to that admin's sockets. */
  mentions_read: z.object({ admin_id: z.string() }),
  /** An admin received or accepted a handover. Sent to that admin's sockets. */
  handovers_changed: z.object({ admin_id: z.string() }),
  /** A library tag was renamed or recolored, on every fan that has it. */
  global_tag_updated: z.object({ tag: GlobalTag }),
  /** A library tag was deleted and removed from every fan. */
  global_tag_deleted: z.object({ id: z.string() }),
  /**
   * An admin was added, changed or removed; their permissions already apply. Sent to that admin's sockets and to everyone who
   * can manage admins. `version` is the admin's.
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
  /** An admin's pins changed. Sent to that admin's sockets. */
  pins_updated: z.object({}),
  /** An admin was added or removed, or their codename or color changed, as shown on everything that they claimed or wrote. */
  staff_updated: z.object({ member: StaffMember }),
  /** A draft was saved or discarded. Sent to its admin's sockets. The state with the higher version wins. */
  draft_updated: z.object({
    conversation_id: z.string(),
    version: z.int(),
    draft: z.nullable(Draft),
  }),
  /** Which conversations teammates have open, and where they are typing. */
  presence: z.object({
    /** The server process that sent this. */
    node: z.string(),
    /** Whether `seats` is the complete list of this process. */
    whole: z.boolean(),
    seats: z.array(PresenceSeat),
  }),
} as const;

export type ClientEventName = keyof typeof clientEvents;
export type ServerEventName = keyof typeof serverEvents;
export type ClientEvent<N extends ClientEventName> = z.infer<(typeof clientEvents)[N]>;
export type ServerEvent<N extends ServerEventName> = z.infer<(typeof serverEvents)[N]>;

/** The event maps in the form that Socket.IO's types expect. */
export type ClientToServerEvents = {
  [N in ClientEventName]: (payload: z.input<(typeof clientEvents)[N]>) => void;
};
export type ServerToClientEvents = { [N in ServerEventName]: (payload: ServerEvent<N>) => void };
