import { requirePermission } from '../../http/route.ts';
import type { StaffEvents } from '../../realtime/socket.ts';
import type { MessagesService } from './messages.service.ts';

/** Binds staff's socket events for messages to the same service as the HTTP endpoints, with the same errors. */
export function bindMessageEvents(events: StaffEvents, messages: MessagesService): void {
  events.on(
    'send_message',
    async ({ tempId, ...input }, { actor, emit }) => {
      const writer = requirePermission(actor, 'can_manage_messages');
      const { message } = await messages.sendAsCreator(writer, input, tempId);
      emit('message_sent', { tempId, message });
    },
    ({ tempId }) => ({ tempId }),
  );

  events.on(
    'toggle_reaction',
    async (target, { actor }) => {
      const writer = requirePermission(actor, 'can_manage_messages');
      await messages.reactAsCreator(writer, target);
    },
    ({ message_id }) => ({ message_id }),
  );
}
