import type { Conversation } from '@stagedoor/contract/conversations';
import type { FanTag } from '@stagedoor/contract/fans';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import type { Board } from '../features/conversation/board.ts';
import { ConversationPane } from '../features/conversation/conversation-pane.tsx';
import { conversationOptions } from '../features/conversation/queries.ts';
import type { TagFilter } from '../features/inbox/queries.ts';
import { HeaderFaces, TypingNote } from '../features/presence/faces.tsx';
import { useAnnounce } from '../features/presence/use-announce.ts';
import { SubscriptionNote } from '../features/subscriptions/subscription-badge.tsx';
import { TagStrip } from '../features/tags/tag-strip.tsx';
import { displayName } from '../lib/format.ts';
import { useAdmin } from '../lib/session.ts';
import { boardOf, saveTags } from './live-inbox.ts';
import { useNotes } from './use-notes.tsx';

const ManageTags = lazy(async () => ({
  default: (await import('../features/tags/manage-tags.tsx')).ManageTags,
}));

const fanNote = ({ subscription }: Conversation['fan']) =>
  subscription && <SubscriptionNote subscription={subscription} />;

interface ConversationScreenProps {
  id: string;
  onBack?: (() => void) | undefined;
  onMissing: () => void;
  onFilterByTag: (tag: TagFilter) => void;
}

/** A conversation with the tools for its fan around it. */
export function ConversationScreen(props: ConversationScreenProps) {
  const { id, onBack, onMissing, onFilterByTag } = props;
  const board = useBoard();
  const screen = useRef<HTMLDivElement>(null);
  const { data: conversation } = useQuery(conversationOptions(id));
  const fanName = conversation ? displayName(conversation.fan) : '';
  const notes = useNotes({ conversationId: id, fanName, container: screen });
  const onTyping = useAnnounce(id);
  const [managedId, setManagedId] = useState<string | null>(null);
  const filterBy = ({ globalTagId, label, color }: FanTag) =>
    onFilterByTag({ tag: globalTagId ?? label, label, color });
  const tagStrip = (shown: Conversation) => (
    <>
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
          tagStrip={tagStrip}
          company={<HeaderFaces conversationId={id} />}
          meanwhile={<TypingNote conversationId={id} />}
          onTyping={onTyping}
          tools={notes.button}
        />
      </div>
      {conversation && notes.panel}
    </div>
  );
}

function useBoard(): Board {
  const client = useQueryClient();
  const { id: adminId } = useAdmin();
  return useMemo(() => boardOf(client, adminId), [client, adminId]);
}
