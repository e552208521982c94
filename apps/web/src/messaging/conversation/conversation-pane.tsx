import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { conversationOptions, threadOptions } from '../messages/queries.ts';
import { staffNotesOptions } from '../staff-notes/queries.ts';
import { ConversationWaiting } from './conversation-waiting.tsx';
import { LoadedConversation, type LoadedConversationProps } from './loaded-conversation.tsx';

interface ConversationPaneProps extends Omit<LoadedConversationProps, 'conversation' | 'thread'> {
  id: string;
  /** Called if the server has no conversation with this id. */
  onMissing?: (() => void) | undefined;
}

/** A conversation: its header, its messages and the reply. */
export function ConversationPane(props: ConversationPaneProps) {
  const { id, onBack, onMissing } = props;
  const conversation = useQuery(conversationOptions(id));
  const thread = useQuery(threadOptions(id));
  // Prefetched together with the messages; nothing waits for them.
  useQuery(staffNotesOptions({ conversationId: id, around: null }));
  const isMissing = [conversation.error, thread.error].some(
    (failure) => failure instanceof ApiError && failure.status === 404,
  );
  useEffect(() => {
    if (isMissing) onMissing?.();
  }, [isMissing, onMissing]);

  if (conversation.data && thread.data) {
    // Each conversation gets its own pane, so that text begun for one fan can't reach another.
    return (
      <LoadedConversation
        {...props}
        key={id}
        conversation={conversation.data}
        thread={thread.data}
      />
    );
  }
  return (
    <ConversationWaiting
      conversation={conversation}
      thread={thread}
      isMissing={isMissing}
      onBack={onBack}
      fanNote={props.fanNote}
    />
  );
}
