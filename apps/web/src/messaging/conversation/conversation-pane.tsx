import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { conversationOptions, threadOptions } from '../messages/queries.ts';
import { staffNotesOptions } from '../staff-notes/queries.ts';
import { ConversationWaiting } from './conversation-waiting.tsx';
import { LoadedConversation, type LoadedConversationProps } from './loaded-conversation.tsx';

interface ConversationPaneProps extends Omit<LoadedConversationProps, 'conversation' | 'thread'> {
  id: string;
  /** The server knows no conversation with this id. */
  onMissing?: (() => void) | undefined;
}

/** A conversation: who the fan is, what was said, and the reply. */
export function ConversationPane(props: ConversationPaneProps) {
  const { id, onBack, onMissing } = props;
  const conversation = useQuery(conversationOptions(id));
  const thread = useQuery(threadOptions(id));
  // Asked for beside the messages; nothing waits for them.
  useQuery(staffNotesOptions({ conversationId: id, around: null }));
  const isMissing = [conversation.error, thread.error].some(
    (failure) => failure instanceof ApiError && failure.status === 404,
  );
  useEffect(() => {
    if (isMissing) onMissing?.();
  }, [isMissing, onMissing]);

  if (conversation.data && thread.data) {
    // Another conversation is another pane: nothing that was begun for one fan can reach another.
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
