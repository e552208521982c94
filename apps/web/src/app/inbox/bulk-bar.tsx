import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { BulkAction } from '@stagedoor/contract/inbox/bulk';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useIsMutating, useQueryClient } from '@tanstack/react-query';
import {
  AlarmClock,
  Archive,
  ArchiveRestore,
  Flag,
  FlagOff,
  Hand,
  type LucideIcon,
  MailCheck,
  MailOpen,
  Tag,
  UserPlus,
  X,
} from 'lucide-react';
import { type ComponentProps, useEffect, useState } from 'react';
import { TagFilterList } from '../../fans/tags/tag-filter.tsx';
import { useInboxState } from '../../inbox/list/inbox-state.tsx';
import { type BulkStep, runBulk, undoOf } from '../../inbox/queue/bulk.ts';
import {
  clearSelection,
  deselect,
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
import { useBoard } from '../live/board.ts';
import { AssigneeList } from './assignee-list.tsx';

const SnoozeDialog = lazyExtra(
  async () => (await import('../../inbox/queue/snooze-dialog.tsx')).SnoozeDialog,
);

const DONE: Readonly<Record<BulkAction['kind'], (count: number, assignee: string) => string>> = {
  claim: (count) => t('{count, plural, one {# claimed} other {# claimed}}', { count }),
  release: (count) => t('{count, plural, one {# released} other {# released}}', { count }),
  assign: (count, name) =>
    t('{count, plural, one {# assigned to {name}} other {# assigned to {name}}}', { count, name }),
  unassign: (count) => t('{count, plural, one {# given back} other {# given back}}', { count }),
  flag: (count) => t('{count, plural, one {# flagged} other {# flagged}}', { count }),
  unflag: (count) => t('{count, plural, one {# unflagged} other {# unflagged}}', { count }),
  archive: (count) => t('{count, plural, one {# archived} other {# archived}}', { count }),
  unarchive: (count) => t('{count, plural, one {# unarchived} other {# unarchived}}', { count }),
  read: (count) => t('{count, plural, one {# marked as read} other {# marked as read}}', { count }),
  unread: (count) =>
    t('{count, plural, one {# marked as unread} other {# marked as unread}}', { count }),
  snooze: (count) => t('{count, plural, one {# snoozed} other {# snoozed}}', { count }),
  unsnooze: (count) =>
    t('{count, plural, one {# no longer snoozed} other {# no longer snoozed}}', { count }),
  add_tag: (count) => t('{count, plural, one {# tagged} other {# tagged}}', { count }),
  remove_tag: (count) => t('{count, plural, one {# untagged} other {# untagged}}', { count }),
};

/** The actions for the selected rows. @param rows all rows of the list, in display order */
export function BulkBar({ rows }: { rows: readonly Conversation[] }) {
  const { listKey } = useInboxState();
  const { ids, isOn } = useSelection();
  const { permissions } = useAdmin();
  const { run, isBusy } = useBulk();
  const [isSnoozing, setSnoozing] = useState(false);
  useEffect(() => setSelectionOrder(rows), [rows]);
  // A selection applies to one list only.
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
  const all = (is: (conversation: Conversation) => boolean) =>
    chosen.length > 0 && chosen.every(is);
  const act = (action: BulkAction, assignee?: string) =>
    run([{ ids: [...ids], action }], { assignee });
  const off = ids.size === 0 || isBusy;
  const tool = (label: string, icon: LucideIcon, action: BulkAction) => (
    <Tool label={label} icon={icon} disabled={off} onClick={() => act(action)} />
  );
  return (
    <div
      role="toolbar"
      aria-label={t('Selected conversations')}
      className="@container border-b border-line bg-selected px-2 pb-1.5 text-control"
    >
      <div className="flex h-9 items-center gap-2 ps-1 coarse:h-11">
        <span role="status" className="min-w-0 flex-1 truncate font-medium tabular-nums">
          {t('{count, plural, one {# selected} other {# selected}}', { count: ids.size })}
        </span>
        {isBusy && <Spinner />}
        <IconButton
          label={t('Clear Selection')}
          onClick={clearSelection}
          className="size-7"
          icon={<X />}
        />
      </div>
      <div className="flex flex-wrap">
        {tool(t('Claim'), Hand, { kind: 'claim' })}
        <Popover
          label={t('Assign...')}
          trigger={<Tool label={t('Assign...')} icon={UserPlus} disabled={off} />}
        >
          <AssigneeList onChoose={(admin_id, name) => act({ kind: 'assign', admin_id }, name)} />
        </Popover>
        <Tool
          label={t('Snooze...')}
          icon={AlarmClock}
          disabled={off}
          onClick={() => setSnoozing(true)}
        />
        {all(({ unread_count }) => unread_count === 0)
          ? tool(t('Mark Unread'), MailOpen, { kind: 'unread' })
          : tool(t('Mark Read'), MailCheck, { kind: 'read' })}
        {all(({ status }) => status === 'archived')
          ? tool(t('Unarchive'), ArchiveRestore, { kind: 'unarchive' })
          : tool(t('Archive'), Archive, { kind: 'archive' })}
        {all(({ status }) => status === 'flagged')
          ? tool(t('Unflag'), FlagOff, { kind: 'unflag' })
          : tool(t('Flag'), Flag, { kind: 'flag' })}
        <Popover
          label={t('Add Tag')}
          trigger={<Tool label={t('Add Tag')} icon={Tag} disabled={off} />}
        >
          <TagFilterList onChoose={({ tag }) => act({ kind: 'add_tag', tag_id: tag })} />
        </Popover>
      </div>
      {isSnoozing && (
        <SnoozeDialog
          subtitle={t(
            'The selected conversations return to everyone’s inbox at that time, or when the fan writes.',
          )}
          fan={null}
          onChoose={(until) => {
            setSnoozing(false);
            act({ kind: 'snooze', until });
          }}
          onClose={() => setSnoozing(false)}
        />
      )}
    </div>
  );
}

interface ToolProps extends Omit<ComponentProps<typeof IconButton>, 'children' | 'icon'> {
  icon: LucideIcon;
}

/** A button of the bar: an icon, with a label below it if the list has room. */
function Tool({ icon: Icon, ...props }: ToolProps) {
  return (
    <IconButton
      {...props}
      className="h-9! w-auto! flex-auto flex-col gap-0.5 px-1 @min-[380px]:h-auto! @min-[380px]:min-h-11 @min-[380px]:py-1 coarse:h-11!"
    >
      <Icon />
      <span aria-hidden="true" className="hidden text-badge font-medium @min-[380px]:inline">
        {props.label}
      </span>
    </IconButton>
  );
}

function useBulk() {
  const client = useQueryClient();
  const board = useBoard();
  const isBusy = useIsMutating({ mutationKey: ['bulk'] }) > 0;
  const run = (
    steps: readonly BulkStep[],
    { undoes = false, assignee = '' }: { undoes?: boolean; assignee?: string | undefined } = {},
  ) => {
    const [first] = steps;
    if (first === undefined) return;
    const { ids, action } = first;
    const before = new Map(ids.map((id) => [id, board.known(id)]));
    void makeChange(client, {
      key: ['bulk'],
      save: () => runBulk({ client, board }, steps),
      saved: (results) => {
        const changed = results.filter((result) => result.changed).map(({ id }) => id);
        const failed = results.filter(({ failure }) => failure !== null);
        const done = DONE[action.kind](changed.length, assignee);
        const reason = failed[0]?.failure && translated(failed[0].failure.error);
        showToast({
          text: reason
            ? t('{done}; {count} failed: {reason}', { done, count: failed.length, reason })
            : done,
          onUndo:
            undoes || changed.length === 0
              ? undefined
              : () =>
                  run(
                    undoOf({ ids: changed, action }, (id) => before.get(id) ?? null),
                    { undoes: true },
                  ),
        });
        // Rows that failed stay selected, so that they can be seen.
        if (!undoes)
          deselect(results.filter(({ failure }) => failure === null).map(({ id }) => id));
      },
      failed: (error) =>
        showProblem({ key: 'bulk', text: errorText(error, t('Something went wrong. Try again.')) }),
    });
  };
  return { run, isBusy };
}
