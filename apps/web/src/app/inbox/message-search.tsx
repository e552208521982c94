import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useState } from 'react';
import { useInboxState } from '../../inbox/list/inbox-state.tsx';
import { useCommands } from '../../lib/commands.ts';
import { useCached } from '../../lib/server/use-cached.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useConversationPath, useOpenId } from './use-open-conversation.ts';

const MessageSearchDialog = lazyExtra(
  async () =>
    (await import('../../inbox/message-search/message-search-dialog.tsx')).MessageSearchDialog,
);

/** The message search: its command and its dialog, which opens with the text of the inbox's search field. */
export function MessageSearch() {
  const { searched } = useInboxState();
  const [isOpen, setOpen] = useState(false);
  const pathOf = useConversationPath();
  const openId = useOpenId();
  const open = useCached<Conversation>(['conversation', openId ?? '']);
  useCommands([
    {
      id: 'search-messages',
      title: t('Search All Messages'),
      section: t('Inbox'),
      keys: ['Mod+Shift+f'],
      run: () => setOpen(true),
    },
  ]);
  if (!isOpen) return null;
  return (
    <MessageSearchDialog
      text={searched ?? ''}
      openFan={open ? { id: open.fan_id, name: displayName(open.fan) } : null}
      linkTo={(hit) =>
        hit.kind === 'note'
          ? pathOf(hit.conversation_id, hit.note_id)
          : `${pathOf(hit.conversation_id)}?message=${encodeURIComponent(hit.message_id)}`
      }
      onClose={() => setOpen(false)}
    />
  );
}
