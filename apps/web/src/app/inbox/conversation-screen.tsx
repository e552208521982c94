import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { FanTag } from '@stagedoor/contract/fans/fans';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { TagStrip } from '../../fans/tags/tag-strip.tsx';
import { useReportPresence } from '../../inbox/presence/use-report-presence.ts';
import { displayName } from '../../lib/text/format.ts';
import { ConversationPane } from '../../messaging/conversation/conversation-pane.tsx';
import {
  type OpenConversation,
  OpenConversationContext,
  type ThreadControls,
  type WritingControls,
} from '../../messaging/messages/open-conversation.ts';
import { conversationOptions } from '../../messaging/messages/queries.ts';
import type { Jump } from '../../messaging/thread/span.ts';
import { classes } from '../../ui/classes.ts';
import { openLazyDialog } from '../lazy-dialogs.tsx';
import { saveTags, useBoard } from '../live/board.ts';
import { BackBar, ConversationHeader } from './conversation-header.tsx';
import { useNotes } from './use-notes.tsx';
import { useQueue } from './use-queue.tsx';

// Exported here because it shares its lazy chunk with the conversation.
export { ConversationKeys } from './conversation-keys.tsx';

const ManageTags = lazyExtra(
  async () => (await import('../../fans/tags/manage-tags.tsx')).ManageTags,
);

interface ConversationScreenProps {
  id: string;
  onBack?: (() => void) | undefined;
  /** Goes back from this conversation to the list, unless a different conversation has been opened since. */
  onLeave: (id: string) => void;
  onMissing: () => void;
  onFilterByTag: (tag: TagFilter) => void;
}

/** A conversation, with the tools for its fan. */
export function ConversationScreen(props: ConversationScreenProps) {
  const { id, onBack, onLeave, onMissing, onFilterByTag } = props;
  const { jump, jumpTo } = useJumpAddress();
  const screen = useRef<HTMLDivElement>(null);
  const thread = useRef<ThreadControls>(null);
  const writing = useRef<WritingControls>(null);
  const { data: conversation } = useQuery(conversationOptions(id));
  const fanName = conversation ? displayName(conversation.fan) : '';
  const board = useBoard();
  const reportTyping = useReportPresence(id);
  const notes = useNotes({
    conversationId: id,
    conversation,
    container: screen,
    showMessage: (messageId) => thread.current?.showMessage(messageId),
  });
  const { pin } = notes;
  const open = useMemo<OpenConversation>(
    () => ({
      id,
      fanName,
      board,
      thread,
      writing,
      jumpTo,
      pin,
      reportTyping,
      openTemplates: (onUse) => openLazyDialog({ name: 'templates', onUse }),
      openScheduled: () => openLazyDialog({ name: 'scheduled', conversationId: id }),
    }),
    [id, fanName, board, jumpTo, pin, reportTyping],
  );
  const [managedId, setManagedId] = useState<string | null>(null);
  const filterBy = ({ globalTagId, label, color }: FanTag) =>
    onFilterByTag({ tag: globalTagId ?? label, label, color });
  const queue = useQueue(conversation ?? null, board, onLeave);
  return (
    <div ref={screen} className={classes('relative flex h-full', notes.isBelow && 'flex-col')}>
      <div inert={notes.isAlone} className="min-h-0 min-w-0 flex-1">
        <OpenConversationContext value={open}>
          {/* Each conversation gets its own pane, so that text typed for one fan can't reach another. */}
          <ConversationPane key={id} jump={jump} onMissing={onMissing}>
            {conversation ? (
              <>
                <ConversationHeader
                  conversation={conversation}
                  onBack={onBack}
                  onOpenFan={notes.openFan}
                  moreActions={queue.items}
                >
                  {notes.button}
                </ConversationHeader>
                {queue.lines}
                <TagStrip
                  conversation={conversation}
                  onFilter={filterBy}
                  onManage={() => setManagedId(id)}
                />
              </>
            ) : (
              onBack && <BackBar onBack={onBack} />
            )}
          </ConversationPane>
        </OpenConversationContext>
      </div>
      {notes.panel}
      {queue.dialog}
      {conversation && managedId === id && (
        <ManageTags
          conversation={conversation}
          save={(tags) => saveTags(board, id, tags)}
          onClose={() => setManagedId(null)}
        />
      )}
    </div>
  );
}

/** Returns the message whose id is in the URL (`?message=`), and a function that changes that id. */
function useJumpAddress(): {
  jump: Jump | null;
  jumpTo: (messageId: string | null) => void;
} {
  const { search, key } = useLocation();
  const navigate = useNavigate();
  const messageId = new URLSearchParams(search).get('message');
  const jump = useMemo(() => (messageId === null ? null : { messageId, key }), [messageId, key]);
  const jumpTo = useCallback(
    (id: string | null) => {
      const { pathname } = window.location;
      if (id === null) void navigate(pathname, { replace: true });
      else void navigate(`${pathname}?message=${encodeURIComponent(id)}`);
    },
    [navigate],
  );
  return { jump, jumpTo };
}
