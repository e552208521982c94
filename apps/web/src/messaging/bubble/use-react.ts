import type { ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSocket } from '../../lib/server/socket.ts';
import { t } from '../../lib/text/i18n.ts';
import type { ThreadMessage } from '../messages/cache.ts';
import { setNotice } from '../messages/notice.ts';

/** Returns a function that toggles the viewer's reaction. If disconnected, it shows an error: a late toggle could be unwanted. */
export function useReact(conversationId: string) {
  const socket = useSocket();
  const client = useQueryClient();
  return useCallback(
    (message: ThreadMessage, emoji: ReactionEmoji) => {
      const payload = { message_id: message.id, emoji, conversation_id: conversationId };
      const isSent = socket.emit('toggle_reaction', payload);
      setNotice(client, isSent ? null : t('Unable to add reaction - connection lost'));
    },
    [socket, client, conversationId],
  );
}
