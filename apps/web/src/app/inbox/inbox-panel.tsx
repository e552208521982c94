import { useId, useMemo, useRef } from 'react';
import { withPins } from '../../inbox/list/cache.ts';
import { tabId } from '../../inbox/list/filter-tabs.tsx';
import { useInboxState } from '../../inbox/list/inbox-state.tsx';
import { ListEnd, ListLoading } from '../../inbox/list/list-status.tsx';
import { useInboxSource } from '../../inbox/list/use-inbox-source.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { ConversationList } from './conversation-list.tsx';
import { InboxHeader } from './inbox-header.tsx';
import { ListControls } from './list-controls.tsx';
import { ListLine } from './list-line.tsx';
import { useInboxTools } from './use-inbox-tools.ts';
import { usePins } from './use-pins.ts';

/** The shared inbox: its header, filters and list. */
export function InboxPanel() {
  const { params, searched, listKey } = useInboxState();
  const { id: adminId } = useAdmin();
  const source = useInboxSource(params, searched);
  const pins = usePins();
  const live = useMemo(
    () =>
      searched === null && params.filter !== 'needs_reply'
        ? withPins(source.rows, pins, { ...params, adminId })
        : source.rows,
    [searched, source.rows, pins, params, adminId],
  );
  const tools = useInboxTools();
  const isSplit = useIsSplit();
  const panelId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const controls = useRef<HTMLDivElement>(null);
  const above = (
    <>
      <InboxHeader />
      <div ref={controls} className="sticky top-0 z-20 bg-surface">
        <ListControls panelId={panelId} scroller={scroller} />
        {tools && <tools.BulkBar key={listKey} rows={live} />}
      </div>
      <ListLine />
    </>
  );
  const panelName =
    searched === null
      ? { 'aria-labelledby': tabId(params.filter) }
      : { 'aria-label': t('Search results') };
  return (
    <section aria-label={t('Inbox')} className="flex h-full min-h-0 flex-col bg-surface">
      {isSplit && above}
      <div
        ref={scroller}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain [overflow-anchor:none]"
      >
        {!isSplit && above}
        <div id={panelId} role="tabpanel" {...panelName} aria-busy={source.phase === 'loading'}>
          {tools && <tools.ListBars found={source.rows.length} />}
          {source.phase === 'loading' && <ListLoading />}
          {source.phase === 'failed' && <ListEnd source={source} count={0} />}
          {source.phase === 'ready' && (
            <ConversationList
              source={source}
              live={live}
              scroller={scroller}
              stickyHeight={() => (isSplit ? 0 : (controls.current?.offsetHeight ?? 0))}
            />
          )}
        </div>
      </div>
    </section>
  );
}
