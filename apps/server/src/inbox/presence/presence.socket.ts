import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { type AdminActor, requirePermission } from '../../http/route.ts';
import type { EventContext, StaffEvents } from '../../realtime/socket.ts';
import type { Presence } from './presence.ts';

interface PresenceEvents {
  readonly presence: Presence;
  /** @throws AppError 404 `conversation_not_found` */
  readonly requireConversation: (id: string) => Promise<Conversation>;
}

/** Binds the presence events of staff consoles. Presence is broadcast only to staff. */
export function bindPresenceEvents(
  events: StaffEvents,
  { presence, requireConversation }: PresenceEvents,
): void {
  /** Wraps {@link Presence.take} to ignore closed sockets, because their seats would never be removed. */
  const take = ({ socketId, arrival, isOpen }: EventContext): (() => boolean) => {
    if (!isOpen()) return () => false;
    const isLatest = presence.take(socketId, arrival);
    return () => isOpen() && isLatest();
  };

  async function enter(
    { actor, socketId }: { actor: AdminActor; socketId: string },
    given: string,
    isCurrent: () => boolean,
  ): Promise<void> {
    if (!isCurrent() || presence.isIn(socketId, given)) return;
    const { id } = await requireConversation(given);
    if (!isCurrent() || presence.isIn(socketId, id)) return;
    const { id: adminId, codename, display_color } = actor.admin;
    presence.join(socketId, { id: adminId, codename, display_color }, id);
  }

  const refer = ({ conversation_id }: { conversation_id: string }) => ({ conversation_id });

  events.opened((emit) => {
    const whole = presence.whole();
    if (whole.seats.length > 0) emit('presence', whole);
  });
  events.closed(presence.closed);

  events.on(
    'join_conversation',
    ({ conversation_id }, context) => enter(context, conversation_id, take(context)),
    refer,
  );

  events.on(
    'leave_conversation',
    async ({ conversation_id }, context) => {
      const isCurrent = take(context);
      const { socketId } = context;
      if (isCurrent() && presence.isIn(socketId, conversation_id)) presence.leave(socketId);
    },
    refer,
  );

  events.on(
    'typing_start',
    async ({ conversation_id }, context) => {
      const isCurrent = take(context);
      requirePermission(context.actor, 'can_manage_messages');
      await enter(context, conversation_id, isCurrent);
      if (isCurrent()) presence.typing(context.socketId, conversation_id, true);
    },
    refer,
  );

  events.on(
    'typing_stop',
    async ({ conversation_id }, context) => {
      const isCurrent = take(context);
      requirePermission(context.actor, 'can_manage_messages');
      if (isCurrent()) presence.typing(context.socketId, conversation_id, false);
    },
    refer,
  );
}
