import type { FanTag } from '@stagedoor/contract/fans/fans';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useMemo, useRef, useState } from 'react';
import { FanGlance } from '../../fans/fan-facts/fan-glance.tsx';
import { SubscriptionNote } from '../../fans/subscriptions/subscription-note.tsx';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { TagStrip } from '../../fans/tags/tag-strip.tsx';
import { HeaderFaces, TypingNote } from '../../inbox/presence/faces.tsx';
import { useReportPresence } from '../../inbox/presence/use-announce.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { ConversationPane } from '../../messaging/conversation/conversation-pane.tsx';
import type { Board } from '../../messaging/messages/board.ts';
import { conversationOptions } from '../../messaging/messages/queries.ts';
import { NoteRow } from '../../messaging/staff-notes/note-row.tsx';
import { readNoteText } from '../../messaging/staff-notes/note-texts.ts';
import type { NoteParts } from '../../messaging/thread/note-parts.ts';
import type { ThreadControls } from '../../messaging/thread/thread-props.ts';
import { openLazyDialog } from '../lazy-dialogs.tsx';
import { boardOf, saveTags } from '../live/board.ts';
import { useJumpAddress } from './use-jump-address.ts';
import { useNotes } from './use-notes.tsx';
import { useQueue } from './use-queue.tsx';

// Exported here because it shares its lazy chunk with the conversation.
export { ConversationKeys } from './conversation-keys.tsx';

const ManageTags = lazyPart(
  async () => (await import('../../fans/tags/manage-tags.tsx')).ManageTags,
);

const NoteComposer = lazyPart(
  async () => (await import('../../messaging/staff-notes/note-composer.tsx')).NoteComposer,
);

const staffNotes: NoteParts = {
  row: (note, state) => <NoteRow note={note} {...state} />,
  composer: (state) => (
    <Suspense fallback={<div className="h-[42px]" />}>
      <NoteComposer key={state.editing?.id ?? state.conversationId} {...state} />
    </Suspense>
  ),
  isBegun: (conversationId) => readNoteText(conversationId) !== null,
};

const fanNote = ({ subscription }: Conversation['fan']) =>
  subscription && <SubscriptionNote subscription={subscription} />;

interface ConversationScreenProps {
  id: string;
  onBack?: (() => void) | undefined;
  /** Goes back from this conversation to the list, unless another one has been opened since. */
  onLeave: (id: string) => void;
  onMissing: () => void;
  onFilterByTag: (tag: TagFilter) => void;
}

/** A conversation, with the tools for its fan. */
export function ConversationScreen(props: ConversationScreenProps) {
  const { id, onBack, onLeave, onMissing, onFilterByTag } = props;
  const board = useBoard();
  const { jump, jumpTo } = useJumpAddress();
  const screen = useRef<HTMLDivElement>(null);
  const { data: conversation } = useQuery(conversationOptions(id));
  const threadControls = useRef<ThreadControls>(null);
  const notes = useNotes({
    conversationId: id,
    conversation,
    container: screen,
    showMessage: (messageId) => threadControls.current?.showMessage(messageId),
  });
  const onTyping = useReportPresence(id);
  const [managedId, setManagedId] = useState<string | null>(null);
  const filterBy = ({ globalTagId, label, color }: FanTag) =>
    onFilterByTag({ tag: globalTagId ?? label, label, color });
  const queue = useQueue(conversation ?? null, board, onLeave);
  const tagStrip = (shown: Conversation) => (
    <>
      {queue.lines}
      <TagStrip conversation={shown} onFilter={filterBy} onManage={() => setManagedId(shown.id)} />
      {managedId === shown.id && (
        <Suspense fallback={null}>
          <ManageTags
            conversation={shown}
            save={(tags) => saveTags(board, shown.id, tags)}
            onClose={() => setManagedId(null)}
          />
        </Suspense>
      )}
    </>
  );
  return (
    <div ref={screen} className="relative flex h-full">
      <div inert={notes.isAlone} className="h-full min-w-0 flex-1">
        <ConversationPane
          id={id}
          onBack={onBack}
          onMissing={onMissing}
          board={board}
          fanNote={fanNote}
          glance={<FanGlance conversationId={id} onOpen={notes.openFan} />}
          threadControls={threadControls}
          onPin={notes.pin}
          tagStrip={tagStrip}
          onTemplates={(onUse) => openLazyDialog({ name: 'templates', onUse })}
          onScheduled={() => openLazyDialog({ name: 'scheduled', conversationId: id })}
          company={<HeaderFaces conversationId={id} />}
          meanwhile={<TypingNote conversationId={id} />}
          onTyping={onTyping}
          tools={notes.button}
          moreActions={queue.items}
          notes={staffNotes}
          jump={jump}
          onJump={jumpTo}
        />
      </div>
      {notes.panel}
      {queue.dialog}
    </div>
  );
}

function useBoard(): Board {
  const client = useQueryClient();
  const { id: adminId } = useAdmin();
  return useMemo(() => boardOf(client, adminId), [client, adminId]);
}
