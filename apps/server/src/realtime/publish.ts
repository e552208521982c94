import type {
  ClientToServerEvents,
  ServerEvent,
  ServerToClientEvents,
} from '@stagedoor/contract/realtime';
import type { Server } from 'socket.io';
import type { AdminActor } from '../http/route.ts';

/** What each socket carries once its handshake was accepted. */
export interface SocketData {
  token: string;
  sessionId: string;
  adminId: string;
  /** Whether they managed admins when the socket was let in. */
  manages: boolean;
}

export type StaffServer = Server<ClientToServerEvents, ServerToClientEvents, object, SocketData>;

/** Every signed-in admin's sockets. */
export const STAFF_ROOM = 'staff';
/** The sockets of one session. */
export const sessionRoom = (sessionId: AdminActor['sessionId']) => `session:${sessionId}`;

/** The sockets of one admin, whatever their session. */
export const adminRoom = (adminId: string) => `admin:${adminId}`;
/** The sockets of those who manage admins. */
export const MANAGERS_ROOM = 'managers';

/** Tells clients what happened, after it was committed. The only place that emits to more than one socket. */
export interface Publisher {
  newMessage(event: ServerEvent<'new_message'>): void;
  messageRead(event: ServerEvent<'message_read'>): void;
  fanRead(event: ServerEvent<'fan_read'>): void;
  reactionToggled(event: ServerEvent<'reaction_toggled'>): void;
  purchaseRecorded(event: ServerEvent<'purchase_recorded'>): void;
  purchaseRefunded(event: ServerEvent<'purchase_refunded'>): void;
  conversationUpdated(event: ServerEvent<'conversation_updated'>): void;
  conversationRemoved(event: ServerEvent<'conversation_removed'>): void;
  globalTagUpdated(event: ServerEvent<'global_tag_updated'>): void;
  globalTagDeleted(event: ServerEvent<'global_tag_deleted'>): void;
  /** To the admin and to those who manage admins, among whom this admin's sockets are from now on, or are not. */
  adminUpdated(event: ServerEvent<'admin_updated'>): void;
  staffUpdated(event: ServerEvent<'staff_updated'>): void;
  /** Closes the sockets of an admin who was removed. */
  adminRemoved(adminId: string): void;
  /** Closes the sockets of a session that is over. */
  sessionEnded(sessionId: string): void;
}

/** To a room at a time: an event is serialised once a room, not once a socket. */
export function createPublisher(io: StaffServer): Publisher {
  return {
    newMessage: (event) => void io.to(STAFF_ROOM).emit('new_message', event),
    messageRead: (event) => void io.to(STAFF_ROOM).emit('message_read', event),
    fanRead: (event) => void io.to(STAFF_ROOM).emit('fan_read', event),
    reactionToggled: (event) => void io.to(STAFF_ROOM).emit('reaction_toggled', event),
    purchaseRecorded: (event) => void io.to(STAFF_ROOM).emit('purchase_recorded', event),
    purchaseRefunded: (event) => void io.to(STAFF_ROOM).emit('purchase_refunded', event),
    conversationUpdated: (event) => void io.to(STAFF_ROOM).emit('conversation_updated', event),
    conversationRemoved: (event) => void io.to(STAFF_ROOM).emit('conversation_removed', event),
    globalTagUpdated: (event) => void io.to(STAFF_ROOM).emit('global_tag_updated', event),
    globalTagDeleted: (event) => void io.to(STAFF_ROOM).emit('global_tag_deleted', event),
    adminUpdated(event) {
      const own = io.in(adminRoom(event.admin_id));
      if (event.is_active && event.permissions.can_manage_admins) own.socketsJoin(MANAGERS_ROOM);
      else own.socketsLeave(MANAGERS_ROOM);
      io.to([adminRoom(event.admin_id), MANAGERS_ROOM]).emit('admin_updated', event);
    },
    staffUpdated: (event) => void io.to(STAFF_ROOM).emit('staff_updated', event),
    adminRemoved: (adminId) => io.in(adminRoom(adminId)).disconnectSockets(true),
    sessionEnded: (sessionId) => io.in(sessionRoom(sessionId)).disconnectSockets(true),
  };
}
