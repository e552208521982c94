import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { BackBar, ConversationHeader } from './conversation-header.tsx';

interface ConversationWaitingProps {
  onBack: (() => void) | undefined;
  fanNote: (fan: Conversation['fan']) => ReactNode;
  conversation: UseQueryResult<Conversation>;
  thread: UseQueryResult;
  /** Whether the server has no such conversation. */
  isMissing: boolean;
}

/** Shown while a conversation loads or if loading failed. */
export function ConversationWaiting(props: ConversationWaitingProps) {
  const { conversation, thread, isMissing, onBack, fanNote } = props;
  const error = conversation.error ?? thread.error;
  return (
    <section aria-label={t('Conversation')} className="flex h-full min-w-0 flex-col bg-bg">
      {conversation.data ? (
        <ConversationHeader
          conversation={conversation.data}
          onBack={onBack}
          note={fanNote(conversation.data.fan)}
        />
      ) : (
        onBack && <BackBar onBack={onBack} />
      )}
      <div className="min-h-0 flex-1">
        {error === null ? (
          <CenteredSpinner text={t('Loading conversation...')} />
        ) : (
          <div className="mx-auto flex h-full max-w-md flex-col justify-center p-6">
            <ErrorBox
              text={
                isMissing
                  ? t('Conversation not found')
                  : errorText(error, t('Failed to load messages'))
              }
              retrying={conversation.isFetching || thread.isFetching}
              onRetry={() => {
                if (conversation.error) void conversation.refetch();
                if (thread.error) void thread.refetch();
              }}
            />
          </div>
        )}
      </div>
    </section>
  );
}
