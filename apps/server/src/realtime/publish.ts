import type { FanServerEvent, ServerToFanEvents } from '@stagedoor/contract/platform/fan-realtime';
import type {
  ClientToServerEvents,
  ServerEvent,
  ServerEventName,
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
/** Returns the room of one session's sockets. Staff and fan sessions are in separate namespaces. */
export const sessionRoom = (sessionId: string) => `session:${sessionId}`;

/** Returns the room of one admin's sockets, across their sessions. */
export const adminRoom = (adminId: string) => `admin:${adminId}`;
/** The sockets of admins who manage admins. */
export const MANAGERS_ROOM = 'managers';

/**
 * Returns the room of a fan's sockets, across their sessions. The key is the fan's only conversation, because events refer to it.
 */
export const fanRoom = (conversationId: string) => `fan:${conversationId}`;

export type Publisher = ReturnType<typeof createPublisher>;

/**
 * Emits committed changes to clients. All events to more than one socket go through it. Fan events never say which admin did
 * something; the caller builds the fan's view of a message. An event is serialized once per room, not once per socket.
 * @param several whether other nodes have sockets too. If so, fans are assumed to be connected, because asking the other nodes
 * takes longer than emitting.
 */
export function createPublisher(io: StaffServer, fans: FanNamespace, several: boolean) {
  const toStaff =
    <E extends ServerEventName>(name: E) =>
    (event: ServerEvent<E>) =>
      void io.to(STAFF_ROOM).emit(name, ...([event] as Parameters<ServerToClientEvents[E]>));
  /** Emits to staff. The fan's clients only get `tips_changed`. */
  const tipChanged =
    (name: 'tip_recorded' | 'tip_refunded') => (event: ServerEvent<typeof name>) => {
      io.to(STAFF_ROOM).emit(name, event);
      fans.to(fanRoom(event.conversation_id)).emit('tips_changed', {});
    };
  /** Closes all sockets of a fan. */
  const fanLeft = (conversationId: string) =>
    fans.in(fanRoom(conversationId)).disconnectSockets(true);
  /** Checks whether an event for a fan is worth building: false only if the fan certainly has no socket. */
  const mayListen = (conversationId: string): boolean =>
    several || fans.adapter.rooms.has(fanRoom(conversationId));
  return {
    /**
     * @param forFan called only if the fan may be connected, because signing file links is most of the work; returns null if the
     * message was unsent in the meantime
     */
    newMessage(
      event: ServerEvent<'new_message'>,
      forFan: (() => FanServerEvent<'new_message'>) | null,
    ) {
      io.to(STAFF_ROOM).emit('new_message', event);
      const { conversation_id } = event;
      if (forFan !== null && mayListen(conversation_id))
        fans.to(fanRoom(conversation_id)).emit('new_message', forFan());
    },
    /** Emits to the fan only. Staff see a mass message as the campaign's progress instead. */
    newFanMessage: (event: FanServerEvent<'new_message'>) =>
      void fans.to(fanRoom(event.message.conversation_id)).emit('new_message', event),
    /** @param startedBy this admin and those who manage admins get the campaign's counts; other staff don't */
    campaignProgress(event: ServerEvent<'campaign_progress'>, startedBy: string | null) {
      const seeing = [MANAGERS_ROOM, ...(startedBy === null ? [] : [adminRoom(startedBy)])];
      io.to(seeing).emit('campaign_progress', event);
      const { campaign_id, state, conversation_ids, states } = event;
      io.to(STAFF_ROOM)
        .except(seeing)
        .emit('campaign_progress', { campaign_id, state, conversation_ids, states });
    },
    messageUnsent(event: ServerEvent<'message_unsent'>) {
      io.to(STAFF_ROOM).emit('message_unsent', event);
      const { conversation_id, message_id, seq, version } = event;
      fans
        .to(fanRoom(conversation_id))
        .emit('message_deleted', { conversation_id, message_id, seq, version });
    },
    /** Emits to the fan only. Staff get `message_unsent`, or for a mass message the campaign's progress. */
    messageDeleted: (event: FanServerEvent<'message_deleted'>) =>
      void fans.to(fanRoom(event.conversation_id)).emit('message_deleted', event),
    messageRead(event: ServerEvent<'message_read'>) {
      io.to(STAFF_ROOM).emit('message_read', event);
      fans.to(fanRoom(event.conversation_id)).emit('messages_read', readBy('creator', event));
    },
    fanRead(event: ServerEvent<'fan_read'>) {
      io.to(STAFF_ROOM).emit('fan_read', event);
      fans.to(fanRoom(event.conversation_id)).emit('messages_read', readBy('fan', event));
    },
    reactionToggled: toStaff('reaction_toggled'),
    purchaseRecorded: toStaff('purchase_recorded'),
    purchaseRefunded: toStaff('purchase_refunded'),
    tipRecorded: tipChanged('tip_recorded'),
    tipRefunded: tipChanged('tip_refunded'),
    conversationUpdated: toStaff('conversation_updated'),
    conversationRemoved(event: ServerEvent<'conversation_removed'>) {
      io.to(STAFF_ROOM).emit('conversation_removed', event);
      fanLeft(event.conversation_id);
    },
    statementsChanged: toStaff('statements_changed'),
    /** @param adminId the only admin who can see the change; null: all can */
    sharedUpdated: (event: ServerEvent<'shared_updated'>, adminId: string | null) =>
      void io.to(adminId === null ? STAFF_ROOM : adminRoom(adminId)).emit('shared_updated', event),
    staffNoteSaved: toStaff('staff_note_saved'),
    staffNoteDeleted: toStaff('staff_note_deleted'),
    /** Emits to the admin's own sockets. */
    mentionsRead: (event: ServerEvent<'mentions_read'>) =>
      void io.to(adminRoom(event.admin_id)).emit('mentions_read', event),
    handoversChanged: (event: ServerEvent<'handovers_changed'>) =>
      void io.to(adminRoom(event.admin_id)).emit('handovers_changed', event),
    globalTagUpdated: toStaff('global_tag_updated'),
    globalTagDeleted: toStaff('global_tag_deleted'),
    /**
     * Emits to the admin and to those who manage admins. Also adds the admin's sockets to the managers' room, or removes them.
     */
    adminUpdated(event: ServerEvent<'admin_updated'>) {
      const own = io.in(adminRoom(event.admin_id));
      if (event.is_active && event.permissions.can_manage_admins) own.socketsJoin(MANAGERS_ROOM);
      else own.socketsLeave(MANAGERS_ROOM);
      io.to([adminRoom(event.admin_id), MANAGERS_ROOM]).emit('admin_updated', event);
    },
    staffUpdated: toStaff('staff_updated'),
    pinsUpdated: (adminId: string) => void io.to(adminRoom(adminId)).emit('pins_updated', {}),
    draftUpdated: (adminId: string, event: ServerEvent<'draft_updated'>) =>
      void io.to(adminRoom(adminId)).emit('draft_updated', event),
    presence: toStaff('presence'),
    /** Closes the sockets of a removed admin. */
    adminRemoved: (adminId: string) => io.in(adminRoom(adminId)).disconnectSockets(true),
    /** Closes the sockets of an ended session. */
    sessionEnded: (sessionId: string) => io.in(sessionRoom(sessionId)).disconnectSockets(true),
    mayListen,
    /** Emits to the fan only: staff get a specific event instead. */
    messageUpdated: (event: FanServerEvent<'message_updated'>) =>
      void fans.to(fanRoom(event.message.conversation_id)).emit('message_updated', event),
    /** Emits to all fans. */
    creatorUpdated: (event: FanServerEvent<'creator_updated'>) =>
      void fans.emit('creator_updated', event),
    /** Closes the sockets of ended fan sessions. */
    fanSessionsEnded(sessionIds: readonly string[]) {
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
