import type { QueueMarks } from '../../inbox/list/conversation-row.tsx';
import type { InboxTools } from '../../inbox/list/inbox-panel.tsx';
import { ListBars } from '../../inbox/list/list-bars.tsx';
import { RowCompany, RowFaces } from '../../inbox/presence/faces.tsx';
import { RowCheck } from '../../inbox/queue/row-check.tsx';
import { displayName } from '../../lib/text/format.ts';
import { BulkBar } from './bulk-bar.tsx';
import { QueueState, QueueToggle, Waiting } from './queue-tools.tsx';
import { TagControl } from './tag-control.tsx';
import { ViewsControl } from './views-control.tsx';

export { PromisesDue } from '../../fans/statements/promises-due.tsx';
export { ConnectionBar } from '../../messaging/conversation/connection-bar.tsx';
export { Toaster } from '../../ui/overlay/toaster.tsx';
export { LazyDialogs } from '../lazy-dialogs.tsx';
export { SettingsPanel } from '../settings-panel.tsx';
export { TeamMenu } from '../team-menu.tsx';
export { NothingSelected } from './nothing-selected.tsx';
export { NextControl } from './queue-tools.tsx';

const queueMarks: QueueMarks = {
  state: (conversation, isPinned) =>
    (isPinned || conversation.snooze !== null) && (
      <QueueState conversation={conversation} isPinned={isPinned} />
    ),
  check: ({ id, fan }) => <RowCheck id={id} name={displayName(fan)} />,
  waiting: (since) => <Waiting since={since} />,
  faces: (id) => <RowFaces conversationId={id} />,
  company: (id) => <RowCompany conversationId={id} />,
};

/** The parts of other features that the inbox panel shows in its rows and among its controls. */
export const inboxTools: InboxTools = {
  queueMarks,
  listBars: (state) => <ListBars {...state} />,
  queueToggle: (isOn, onToggle) => <QueueToggle isOn={isOn} onToggle={onToggle} />,
  viewsControl: (state, onChoose) => <ViewsControl state={state} onChoose={onChoose} />,
  tagControl: (onChoose) => <TagControl onChoose={onChoose} />,
  bulkBar: (rows, listKey) => <BulkBar rows={rows} listKey={listKey} />,
};
