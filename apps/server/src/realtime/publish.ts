import type { FanServerEvent, ServerToFanEvents } from '@stagedoor/contract/platform/fan-realtime';
import type {
  ClientToServerEvents,
  ServerEvent,
  ServerToClientEvents,
} from '@stagedoor/contract/realtime';
import type { Namespace, Server } from 'socket.io';

/** The data of a staff socket after its handshake. */
export interface SocketData {
  token: string;
  sessionId: string;
  adminId: string;
  /** Whether the admin had the permission to manage admins when the socket connected. */
  manages: boolean;
}

export type StaffServer = Server<ClientToServerEvents, ServerToClientEvents, object, SocketData>;

/** The data of a fan socket after its handshake. */
export interface FanSocketData {
  sessionId: string;
  conversationId: string;
}

export type FanNamespace = Namespace<object, ServerToFanEvents, object, FanSocketData>;

/** The sockets of all signed-in admins. */
export const STAFF_ROOM = 'staff';
/** The sockets of one session. Staff and fan sessions are in separate namespaces. */
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

/** The sockets of one admin, across their sessions. */
export const adminRoom = (adminId: string) => `admin:${adminId}`;
/** The sockets of admins who manage admins. */
export const MANAGERS_ROOM = 'managers';

/** A fan's sockets, across their sessions. The key is the fan's one conversation, which events refer to. */
export const fanRoom = (conversationId: string) => `fan:${conversationId}`;

/**
 * Emits committed changes to clients. All events to more than one socket go through it. Fan events never say which admin did
 * something; the caller builds the fan's view of a message.
 */
export interface Publisher {
  /** @param forFan called only if the fan may be connected, because signing file links is most of the work */
  newMessage(event: ServerEvent<'new_message'>, forFan: () => FanServerEvent<'new_message'>): void;
  /** Emitted to the fan only: a mass message, of which staff see the campaign's progress. */
  newFanMessage(event: FanServerEvent<'new_message'>): void;
  campaignProgress(event: ServerEvent<'campaign_progress'>): void;
  messageRead(event: ServerEvent<'message_read'>): void;
  fanRead(event: ServerEvent<'fan_read'>): void;
  reactionToggled(event: ServerEvent<'reaction_toggled'>): void;
  purchaseRecorded(event: ServerEvent<'purchase_recorded'>): void;
  purchaseRefunded(event: ServerEvent<'purchase_refunded'>): void;
  conversationUpdated(event: ServerEvent<'conversation_updated'>): void;
  conversationRemoved(event: ServerEvent<'conversation_removed'>): void;
  statementsChanged(event: ServerEvent<'statements_changed'>): void;
  /** @param adminId the only admin who can see the change; null: all can */
  sharedUpdated(event: ServerEvent<'shared_updated'>, adminId: string | null): void;
  /** Staff notes are emitted to staff only. */
  staffNoteSaved(event: ServerEvent<'staff_note_saved'>): void;
  staffNoteDeleted(event: ServerEvent<'staff_note_deleted'>): void;
  /** Emitted to the admin's own sockets. */
  mentionsRead(event: ServerEvent<'mentions_read'>): void;
  handoversChanged(event: ServerEvent<'handovers_changed'>): void;
  globalTagUpdated(event: ServerEvent<'global_tag_updated'>): void;
  globalTagDeleted(event: ServerEvent<'global_tag_deleted'>): void;
  /**
   * Emitted to the admin and to those who manage admins. Also adds the admin's sockets to the managers' room, or removes them.
   */
  adminUpdated(event: ServerEvent<'admin_updated'>): void;
  staffUpdated(event: ServerEvent<'staff_updated'>): void;
  /** Emitted to this admin only. */
  pinsUpdated(adminId: string): void;
  /** Emitted to this admin only. */
  draftUpdated(adminId: string, event: ServerEvent<'draft_updated'>): void;
  presence(event: ServerEvent<'presence'>): void;
  /** Closes the sockets of a removed admin. */
  adminRemoved(adminId: string): void;
  /** Closes the sockets of an ended session. */
  sessionEnded(sessionId: string): void;
  /** Whether an event for a fan is worth building: false only if no node has a socket of theirs. */
  mayListen(conversationId: string): boolean;
  /** Emitted to the fan only: staff get a specific event instead. */
  messageUpdated(event: FanServerEvent<'message_updated'>): void;
  /** Emitted to all fans. */
  creatorUpdated(event: FanServerEvent<'creator_updated'>): void;
  /** Closes the sockets of ended fan sessions. */
  fanSessionsEnded(sessionIds: readonly string[]): void;
  /** Closes all sockets of a fan. */
  fanLeft(conversationId: string): void;
}

/**
 * Creates a publisher that emits to rooms: an event is serialized once per room, not once per socket.
 * @param several whether other nodes have sockets too. Then the fan is assumed to be connected, because asking the other nodes
 * takes longer than emitting.
 */
export function createPublisher(io: StaffServer, fans: FanNamespace, several: boolean): Publisher {
  const fanLeft = (conversationId: string) =>
    fans.in(fanRoom(conversationId)).disconnectSockets(true);
  const mayListen = (conversationId: string) =>
    several || fans.adapter.rooms.has(fanRoom(conversationId));
  return {
    newMessage(event, forFan) {
      io.to(STAFF_ROOM).emit('new_message', event);
      const { conversation_id } = event;
      if (mayListen(conversation_id))
        fans.to(fanRoom(conversation_id)).emit('new_message', forFan());
    },
    newFanMessage: (event) =>
      void fans.to(fanRoom(event.message.conversation_id)).emit('new_message', event),
    campaignProgress: (event) => void io.to(STAFF_ROOM).emit('campaign_progress', event),
    messageRead(event) {
      io.to(STAFF_ROOM).emit('message_read', event);
      fans.to(fanRoom(event.conversation_id)).emit('messages_read', readBy('creator', event));
    },
    fanRead(event) {
      io.to(STAFF_ROOM).emit('fan_read', event);
      fans.to(fanRoom(event.conversation_id)).emit('messages_read', readBy('fan', event));
    },
    reactionToggled: (event) => void io.to(STAFF_ROOM).emit('reaction_toggled', event),
    purchaseRecorded: (event) => void io.to(STAFF_ROOM).emit('purchase_recorded', event),
    purchaseRefunded: (event) => void io.to(STAFF_ROOM).emit('purchase_refunded', event),
    conversationUpdated: (event) => void io.to(STAFF_ROOM).emit('conversation_updated', event),
    conversationRemoved(event) {
      io.to(STAFF_ROOM).emit('conversation_removed', event);
      fanLeft(event.conversation_id);
    },
    statementsChanged: (event) => void io.to(STAFF_ROOM).emit('statements_changed', event),
    sharedUpdated: (event, adminId) =>
      void io.to(adminId === null ? STAFF_ROOM : adminRoom(adminId)).emit('shared_updated', event),
    staffNoteSaved: (event) => void io.to(STAFF_ROOM).emit('staff_note_saved', event),
    staffNoteDeleted: (event) => void io.to(STAFF_ROOM).emit('staff_note_deleted', event),
    mentionsRead: (event) => void io.to(adminRoom(event.admin_id)).emit('mentions_read', event),
    handoversChanged: (event) =>
      void io.to(adminRoom(event.admin_id)).emit('handovers_changed', event),
    globalTagUpdated: (event) => void io.to(STAFF_ROOM).emit('global_tag_updated', event),
    globalTagDeleted: (event) => void io.to(STAFF_ROOM).emit('global_tag_deleted', event),
    adminUpdated(event) {
      const own = io.in(adminRoom(event.admin_id));
      if (event.is_active && event.permissions.can_manage_admins) own.socketsJoin(MANAGERS_ROOM);
      else own.socketsLeave(MANAGERS_ROOM);
      io.to([adminRoom(event.admin_id), MANAGERS_ROOM]).emit('admin_updated', event);
    },
    staffUpdated: (event) => void io.to(STAFF_ROOM).emit('staff_updated', event),
    pinsUpdated: (adminId) => void io.to(adminRoom(adminId)).emit('pins_updated', {}),
    draftUpdated: (adminId, event) => void io.to(adminRoom(adminId)).emit('draft_updated', event),
    presence: (event) => void io.to(STAFF_ROOM).emit('presence', event),
    adminRemoved: (adminId) => io.in(adminRoom(adminId)).disconnectSockets(true),
    sessionEnded: (sessionId) => io.in(sessionRoom(sessionId)).disconnectSockets(true),
    mayListen,
    messageUpdated: (event) =>
      void fans.to(fanRoom(event.message.conversation_id)).emit('message_updated', event),
    creatorUpdated: (event) => void fans.emit('creator_updated', event),
    fanSessionsEnded(sessionIds) {
      // An empty list of rooms would mean all sockets.
      if (sessionIds.length > 0) fans.in(sessionIds.map(sessionRoom)).disconnectSockets(true);
    },
    fanLeft,
  };
}

/** Reemitters for events whose outbox payload is emitted unchanged. */
export const plainReemitters = (publish: Publisher) => ({
  shared_updated: ({
    admin_id,
    ...event
  }: ServerEvent<'shared_updated'> & { readonly admin_id: string | null }) =>
    publish.sharedUpdated(event, admin_id),
  global_tag_updated: publish.globalTagUpdated,
  global_tag_deleted: publish.globalTagDeleted,
  conversation_removed: publish.conversationRemoved,
});

const readBy = (
  reader: FanServerEvent<'messages_read'>['reader'],
  { read_at, up_to_seq, version }: ServerEvent<'message_read' | 'fan_read'>,
): FanServerEvent<'messages_read'> => ({ reader, read_at, up_to_seq, version });
