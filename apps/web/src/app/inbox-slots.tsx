import type { Conversation } from '@stagedoor/contract/conversations';
import { Suspense } from 'react';
import type { QueueMarks } from '../features/inbox/conversation-row.tsx';
import type { InboxPanelProps } from '../features/inbox/inbox-panel.tsx';
import { SubscriptionBadge } from '../features/subscriptions/subscription-badge.tsx';
import { displayName } from '../lib/format.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { DraftMark } from './draft-mark.tsx';

const loadQueueTools = () => import('./queue-tools.tsx');
const QueueToggle = lazyPart(async () => (await loadQueueTools()).QueueToggle);
const QueueState = lazyPart(async () => (await loadQueueTools()).QueueState);
const Waiting = lazyPart(async () => (await loadQueueTools()).Waiting);
const RowCheck = lazyPart(async () => (await loadQueueTools()).RowCheck);
const BulkBar = lazyPart(async () => (await import('./bulk-bar.tsx')).BulkBar);
const ViewsControl = lazyPart(async () => (await import('./views-control.tsx')).ViewsControl);

const loadFaces = () => import('../features/presence/faces.tsx');
const RowFaces = lazyPart(async () => (await loadFaces()).RowFaces);
const RowCompany = lazyPart(async () => (await loadFaces()).RowCompany);

const draftMark = (id: string) => <DraftMark conversationId={id} />;
const fanMark = ({ subscription }: Conversation['fan']) =>
  subscription && <SubscriptionBadge subscription={subscription} />;

const queueMarks: QueueMarks = {
  state: (conversation, isPinned) =>
    (isPinned || conversation.snooze !== null) && (
      <Suspense fallback={null}>
        <QueueState conversation={conversation} isPinned={isPinned} />
      </Suspense>
    ),
  check: ({ id, fan }) => (
    <Suspense fallback={null}>
      <RowCheck id={id} name={displayName(fan)} />
    </Suspense>
  ),
  waiting: (since) => (
    <Suspense fallback={null}>
      <Waiting since={since} />
    </Suspense>
  ),
  faces: (id) => (
    <Suspense fallback={null}>
      <RowFaces conversationId={id} />
    </Suspense>
  ),
  company: (id) => (
    <Suspense fallback={null}>
      <RowCompany conversationId={id} />
    </Suspense>
  ),
};
const queueToggle = (isOn: boolean, onToggle: () => void) => (
  <span className="size-8 shrink-0 coarse:size-11">
    <Suspense fallback={null}>
      <QueueToggle isOn={isOn} onToggle={onToggle} />
    </Suspense>
  </span>
);
const viewsControl: InboxPanelProps['viewsControl'] = (state, onChoose) => (
  <span className="size-8 shrink-0 coarse:size-11">
    <Suspense fallback={null}>
      <ViewsControl state={state} onChoose={onChoose} />
    </Suspense>
  </span>
);
const bulkBar: InboxPanelProps['bulkBar'] = (rows, listKey) => (
  <Suspense fallback={null}>
    <BulkBar rows={rows} listKey={listKey} />
  </Suspense>
);

/** What other features show within the inbox's panel: in its rows, and among its controls. */
export const inboxSlots = {
  draftMark,
  fanMark,
  queueMarks,
  queueToggle,
  viewsControl,
  bulkBar,
} satisfies Partial<InboxPanelProps>;
