import type { FanServerEvent, ServerToFanEvents } from '@stagedoor/contract/platform/fan-realtime';
import type {
  ClientToServerEvents,
  ServerEvent,
  ServerToClientEvents,
} from '@stagedoor/contract/realtime';
import type { Namespace, Server } from 'socket.io';

/** What each socket carries once its handshake was accepted. */
export interface SocketData {
  token: string;
  sessionId: string;
  adminId: string;
  /** Whether they managed admins when the socket was let in. */
  manages: boolean;
}

export type StaffServer = Server<ClientToServerEvents, ServerToClientEvents, object, SocketData>;

/** What each fan's socket carries once its handshake was accepted. */
export interface FanSocketData {
  sessionId: string;
  conversationId: string;
}

export type FanNamespace = Namespace<object, ServerToFanEvents, object, FanSocketData>;

/** Every signed-in admin's sockets. */
export const STAFF_ROOM = 'staff';
/** The sockets of one session, of staff's or of a fan's: each in its namespace. */
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

/** The sockets of one admin, whatever their session. */
export const adminRoom = (adminId: string) => `admin:${adminId}`;
/** The sockets of those who manage admins. */
export const MANAGERS_ROOM = 'managers';

/** A fan's sockets, whatever their session. Fans are known by their one conversation, which is what events name. */
export const fanRoom = (conversationId: string) => `fan:${conversationId}`;

/**
 * Tells clients what happened, after it was committed. The only place that emits to more than one socket. What fans are told
 * of an event says nothing of who did it; what they see of a message is made for them by who has it.
 */
export interface Publisher {
  /**
   * @param forFan made only if the fan may listen: signing links to files is most of the work
   */
  newMessage(event: ServerEvent<'new_message'>, forFan: () => FanServerEvent<'new_message'>): void;
  messageRead(event: ServerEvent<'message_read'>): void;
  fanRead(event: ServerEvent<'fan_read'>): void;
  reactionToggled(event: ServerEvent<'reaction_toggled'>): void;
  purchaseRecorded(event: ServerEvent<'purchase_recorded'>): void;
  purchaseRefunded(event: ServerEvent<'purchase_refunded'>): void;
  conversationUpdated(event: ServerEvent<'conversation_updated'>): void;
  conversationRemoved(event: ServerEvent<'conversation_removed'>): void;
  statementsChanged(event: ServerEvent<'statements_changed'>): void;
  /** @param adminId the one who alone has what changed; null: all */
  sharedUpdated(event: ServerEvent<'shared_updated'>, adminId: string | null): void;
  /** To staff alone, as all that is told of their notes. */
  staffNoteSaved(event: ServerEvent<'staff_note_saved'>): void;
  staffNoteDeleted(event: ServerEvent<'staff_note_deleted'>): void;
  /** To the admin's own sockets. */
  mentionsRead(event: ServerEvent<'mentions_read'>): void;
  handoversChanged(event: ServerEvent<'handovers_changed'>): void;
  globalTagUpdated(event: ServerEvent<'global_tag_updated'>): void;
  globalTagDeleted(event: ServerEvent<'global_tag_deleted'>): void;
  /** To the admin and to those who manage admins, among whom this admin's sockets are from now on, or are not. */
  adminUpdated(event: ServerEvent<'admin_updated'>): void;
  staffUpdated(event: ServerEvent<'staff_updated'>): void;
  /** To this admin alone. */
  pinsUpdated(adminId: string): void;
  /** To the admin alone. */
  draftUpdated(adminId: string, event: ServerEvent<'draft_updated'>): void;
  presence(event: ServerEvent<'presence'>): void;
  /** Closes the sockets of an admin who was removed. */
  adminRemoved(adminId: string): void;
  /** Closes the sockets of a session that is over. */
  sessionEnded(sessionId: string): void;
  /** Whether to make something for a fan that is not at hand: false only where no node has a socket of theirs. */
  mayListen(conversationId: string): boolean;
  /** To the fan alone: staff are told what it was that changed. */
  messageUpdated(event: FanServerEvent<'message_updated'>): void;
  /** To all fans. */
  creatorUpdated(event: FanServerEvent<'creator_updated'>): void;
  /** Closes the sockets of fans' sessions that are over. */
  fanSessionsEnded(sessionIds: readonly string[]): void;
  /** Closes all sockets of a fan. */
  fanLeft(conversationId: string): void;
}

/**
 * To a room at a time: an event is serialised once a room, not once a socket.
 * @param several whether other nodes have sockets too. Which fans listen there is not asked: that would take longer than to
 * tell them.
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
      // No room at all would mean everyone.
      if (sessionIds.length > 0) fans.in(sessionIds.map(sessionRoom)).disconnectSockets(true);
    },
    fanLeft,
  };
}

/** For events whose payload in the outbox is what is emitted. */
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
