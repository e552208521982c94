import { unsendMessage } from '@stagedoor/contract/messaging/messages';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { ApiError, call, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { showProblem } from '../../ui/overlay/toast.ts';
import type { ThreadMessage } from '../messages/cache.ts';
import { changeMessages } from '../messages/queries.ts';

interface UnsendDialogProps {
  message: ThreadMessage;
  onClose: () => void;
}

/** Asks whether to unsend a message. */
export function UnsendDialog({ message, onClose }: UnsendDialogProps) {
  const client = useQueryClient();
  return (
    <ConfirmDialog
      title={t('Unsend this message?')}
      text={t(
        'It will disappear for the fan. Staff will see that it was unsent. This can’t be undone.',
      )}
      confirmLabel={t('Unsend')}
      onConfirm={() => void unsend(client, message)}
      onClose={onClose}
    />
  );
}

function unsend(client: QueryClient, { id, conversation_id }: ThreadMessage): Promise<void> {
  return makeChange(client, {
    key: ['unsend', id],
    save: () => call(unsendMessage, { params: { id } }),
    // Applied at once, because the event may be late. Keeps the old version number, because only the event has the new one.
    saved: ({ data }) =>
      changeMessages(client, conversation_id, (thread) => ({
        ...thread,
        messages: thread.messages.map((held) =>
          held.id === id && held.unsent === null ? { ...data, version: held.version } : held,
        ),
      })),
    toast: { text: t('Message unsent') },
    failed: (error) => {
      // An earlier try or a teammate has already unsent the message.
      if (error instanceof ApiError && error.code === 'already_unsent') return;
      showProblem({
        key: `unsend ${id}`,
        text: errorText(error, t('Couldn’t unsend the message')),
      });
    },
  });
}
