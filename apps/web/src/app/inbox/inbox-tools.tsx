// The parts of the inbox that load after its first rows, as one chunk.
export { PromisesDue } from '../../fans/statements/promises-due.tsx';
export { ListBars } from '../../inbox/list/list-bars.tsx';
export { RowFaces, RowPresenceText } from '../../inbox/presence/faces.tsx';
export { RowCheck } from '../../inbox/queue/row-check.tsx';
export { SavedViews } from '../../inbox/views/saved-views.tsx';
export { ConnectionBar } from '../../messaging/conversation/connection-bar.tsx';
export { Toaster } from '../../ui/overlay/toaster.tsx';
export { LazyDialogs } from '../lazy-dialogs.tsx';
export { SettingsPanel } from '../settings-panel.tsx';
export { TeamMenu } from '../team-menu.tsx';
export { BulkBar } from './bulk-bar.tsx';
export { ListMenu } from './list-menu.tsx';
export { NextControl, QueueState, Waiting } from './queue-tools.tsx';
export { SegmentBar } from './segment-filter.tsx';
