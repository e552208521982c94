import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { type ReactNode, Suspense, useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';

const MessageSearchDialog = lazyPart(
  async () =>
    (await import('../../inbox/message-search/message-search-dialog.tsx')).MessageSearchDialog,
);

interface MessageSearchOptions {
  /** Returns the path of a conversation. */
  pathOf: (conversationId: string) => string;
  /** The conversation that is open, or null. */
  selected: Conversation | null;
}

/** The search in all messages: a function that opens it with a text, and its dialog. */
export function useMessageSearch({ pathOf, selected }: MessageSearchOptions): {
  search: (text: string) => void;
  dialog: ReactNode;
} {
  const [text, setText] = useState<string | null>(null);
  useCommands([
    {
      id: 'search-messages',
      title: t('Search All Messages'),
      section: t('Inbox'),
      keys: ['Mod+Shift+f'],
      run: () => setText(''),
    },
  ]);
  const dialog = text !== null && (
    <Suspense fallback={null}>
      <MessageSearchDialog
        text={text}
        openFan={selected && { id: selected.fan_id, name: displayName(selected.fan) }}
        linkTo={(id, messageId) => `${pathOf(id)}?message=${encodeURIComponent(messageId)}`}
        onClose={() => setText(null)}
      />
    </Suspense>
  );
  return { search: setText, dialog };
}
