import type { BulkAction } from '@stagedoor/contract/inbox/bulk';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import {
  Archive,
  ArchiveRestore,
  Flag,
  FlagOff,
  Hand,
  type LucideIcon,
  Tag,
  UserPlus,
  X,
} from 'lucide-react';
import { type ComponentProps, Suspense, useEffect, useMemo } from 'react';
import { TagFilterList } from '../../fans/tags/tag-filter.tsx';
import { useInboxState } from '../../inbox/list/inbox-state.tsx';
import { oppositeOf, runBulk } from '../../inbox/queue/bulk.ts';
import {
  clearSelection,
  keepSelected,
  setSelectionOrder,
  useSelection,
} from '../../inbox/queue/selection.ts';
import { useCommands } from '../../lib/commands.ts';
import { errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t, translated } from '../../lib/text/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { makeChange } from '../../ui/overlay/make-change.ts';
import { Popover } from '../../ui/overlay/popover.tsx';
import { showProblem, showToast } from '../../ui/overlay/toast.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { boardOf } from '../live/board.ts';
import { AssigneeList } from './assignee-list.tsx';

const DONE: Readonly<Record<BulkAction['kind'], (count: number) => string>> = {
  claim: (count) => t('{count, plural, one {# claimed} other {# claimed}}', { count }),
  release: (count) => t('{count, plural, one {# released} other {# released}}', { count }),
  assign: (count) => t('{count, plural, one {# assigned} other {# assigned}}', { count }),
  flag: (count) => t('{count, plural, one {# flagged} other {# flagged}}', { count }),
  unflag: (count) => t('{count, plural, one {# unflagged} other {# unflagged}}', { count }),
  archive: (count) => t('{count, plural, one {# archived} other {# archived}}', { count }),
  unarchive: (count) => t('{count, plural, one {# unarchived} other {# unarchived}}', { count }),
  add_tag: (count) => t('{count, plural, one {# tagged} other {# tagged}}', { count }),
  remove_tag: (count) => t('{count, plural, one {# untagged} other {# untagged}}', { count }),
};

/** The actions for the selected rows. @param rows all rows of the list, in display order */
export function BulkBar({ rows }: { rows: readonly Conversation[] }) {
  const { listKey } = useInboxState();
  const { ids, isOn } = useSelection();
  const { permissions } = useAdmin();
  const { run, isBusy } = useBulk();
  useEffect(() => setSelectionOrder(rows.map(({ id }) => id)), [rows]);
  // The selection belongs to the previous list.
  useEffect(() => clearSelection, [listKey]);
  useCommands([
    {
      id: 'clear-selection',
      title: t('Clear Selection'),
      section: t('Inbox'),
      keys: ['Escape'],
      run: clearSelection,
      enabled: isOn,
    },
  ]);
  if (!isOn || !permissions.can_manage_messages) return null;
  const chosen = rows.filter(({ id }) => ids.has(id));
  const all = (status: Conversation['status']) =>
    chosen.length > 0 && chosen.every((conversation) => conversation.status === status);
  const act = (action: BulkAction) => run([...ids], action);
  const off = ids.size === 0 || isBusy;
  const tools: { label: string; icon: LucideIcon; action: BulkAction }[] = [
    { label: t('Claim'), icon: Hand, action: { kind: 'claim' } },
    all('archived')
      ? { label: t('Unarchive'), icon: ArchiveRestore, action: { kind: 'unarchive' } }
      : { label: t('Archive'), icon: Archive, action: { kind: 'archive' } },
    all('flagged')
      ? { label: t('Unflag'), icon: FlagOff, action: { kind: 'unflag' } }
      : { label: t('Flag'), icon: Flag, action: { kind: 'flag' } },
  ];
  return (
    <div
      role="toolbar"
      aria-label={t('Selected conversations')}
      className="@container flex h-10 items-center gap-0.5 border-b border-line bg-selected pe-2 ps-3 text-control coarse:h-12"
    >
      <span role="status" className="min-w-0 flex-1 truncate font-medium tabular-nums">
        {t('{count, plural, one {# selected} other {# selected}}', { count: ids.size })}
      </span>
      {isBusy && <Spinner />}
      {tools.map(({ label, icon, action }) => (
        <Tool key={label} label={label} icon={icon} disabled={off} onClick={() => act(action)} />
      ))}
      <Popover
        label={t('Assign...')}
        trigger={<Tool label={t('Assign...')} icon={UserPlus} disabled={off} />}
      >
        <AssigneeList onChoose={(admin_id) => act({ kind: 'assign', admin_id })} />
      </Popover>
      <Popover
        label={t('Add Tag')}
        trigger={<Tool label={t('Add Tag')} icon={Tag} disabled={off} />}
      >
        <Suspense fallback={<Spinner />}>
          <TagFilterList onChoose={({ tag }) => act({ kind: 'add_tag', tag_id: tag })} />
        </Suspense>
      </Popover>
      <Tool label={t('Clear Selection')} icon={X} onClick={clearSelection} />
    </div>
  );
}

interface ToolProps extends Omit<ComponentProps<typeof IconButton>, 'children' | 'icon'> {
  icon: LucideIcon;
}

function Tool({ icon: Icon, ...props }: ToolProps) {
  return (
    <IconButton {...props} className="coarse:size-11">
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} />
    </IconButton>
  );
}

function useBulk() {
  const client = useQueryClient();
  const { id: adminId } = useAdmin();
  const screen = useMemo(() => ({ client, board: boardOf(client, adminId) }), [client, adminId]);
  const isBusy = useIsMutating({ mutationKey: ['bulk'] }) > 0;
  const run = (ids: readonly string[], action: BulkAction, undoes = false) =>
    void makeChange(client, {
      key: ['bulk'],
      save: () => runBulk(screen, ids, action),
      saved: (results) => {
        const changed = results.filter((result) => result.changed).map(({ id }) => id);
        const failed = results.filter(({ failure }) => failure !== null);
        const done = DONE[action.kind](changed.length);
        const opposite = oppositeOf(action);
        const reason = failed[0]?.failure && translated(failed[0].failure.error);
        showToast({
          text: reason
            ? t('{done}; {count} failed: {reason}', { done, count: failed.length, reason })
            : done,
          onUndo:
            undoes || changed.length === 0 || opposite === null
              ? undefined
              : () => run(changed, opposite, true),
        });
        // Rows that failed stay selected, so that they can be seen.
        if (!undoes) keepSelected(failed.map(({ id }) => id));
      },
      failed: (error) =>
        showProblem({ key: 'bulk', text: errorText(error, t('Something went wrong. Try again.')) }),
    });
  return { run, isBusy };
}
