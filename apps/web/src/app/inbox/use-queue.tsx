import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { type Conversation, markRead } from '@stagedoor/contract/inbox/conversations';
import type { NextReason } from '@stagedoor/contract/inbox/queue';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AlarmClock, AlarmClockOff, MailOpen, Pin, PinOff, UserPlus } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import {
  assignTo,
  endSnooze,
  markAsUnread,
  setPinned,
  snoozeUntil,
} from '../../inbox/queue/actions.ts';
import { runBulk } from '../../inbox/queue/bulk.ts';
import { pinsOptions } from '../../inbox/queue/queries.ts';
import { NextLine, SnoozeLine } from '../../inbox/queue/queue-lines.tsx';
import { snoozeEnd, snoozeWords } from '../../inbox/queue/words.ts';
import { call, errorText } from '../../lib/server/api.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { fanZoneOf } from '../../lib/text/zoned-time.ts';
import { useNow } from '../../lib/use-now.ts';
import type { Board } from '../../messaging/messages/board.ts';
import { NO_PRIVILEGE } from '../../messaging/messages/no-privilege.ts';
import { Dialog } from '../../ui/overlay/dialog.tsx';
import { makeChange } from '../../ui/overlay/make-change.ts';
import type { MenuItem } from '../../ui/overlay/menu.tsx';
import { showProblem } from '../../ui/overlay/toast.ts';
import { AssigneeList } from './assignee-list.tsx';
import { reasonWords } from './next-reasons.ts';

const SnoozeDialog = lazyExtra(
  async () => (await import('../../inbox/queue/snooze-dialog.tsx')).SnoozeDialog,
);

/** Returns the actions that decide when a conversation is answered (mark unread, snooze, pin), and their dialog. */
export function useQueueActions(
  conversation: Conversation | null,
  board: Board,
  onLeave: (id: string) => void,
) {
  const client = useQueryClient();
  const canWrite = useAdmin().permissions.can_manage_messages;
  const { data: pins } = useQuery(pinsOptions);
  const [asked, setAsked] = useState<'snooze' | 'assign' | null>(null);
  const close = () => setAsked(null);
  const screen = { client, board };
  const id = conversation?.id ?? '';
  // A dialog only applies to the conversation it was opened in.
  useEffect(() => close, [id]);
  const name = conversation ? displayName(conversation.fan) : '';
  const isPinned = pins?.some((pinned) => pinned.id === id) ?? false;
  const snooze = conversation?.snooze ?? null;

  const run = (save: () => Promise<void>, text: string, failed: string, onUndo?: () => void) =>
    void makeChange(client, {
      key: ['conversation', id],
      save,
      toast: { text, onUndo },
      failed: (error) => {
        const problem = errorText(error, failed);
        showProblem({ key: `queue ${id}`, text: t('{name}: {problem}', { name, problem }) });
      },
    });
  const readAgain = () => {
    const save = async () => {
      await call(markRead, { params: { id } });
      await board.refresh(id);
      await client.invalidateQueries({ queryKey: ['inbox', 'stats'] });
    };
    run(save, t('Marked {name} as read', { name }), t('Couldn’t mark as read'));
  };
  const mark = () => {
    run(
      () => markAsUnread(screen, id).then(() => onLeave(id)),
      t('Marked {name} as unread', { name }),
      t('Couldn’t mark as unread'),
      readAgain,
    );
  };
  const wake = () =>
    run(
      () => endSnooze(screen, id),
      t('Ended the snooze for {name}', { name }),
      t('Couldn’t end the snooze'),
    );
  const putOff = (until: string | null) => {
    close();
    const undo =
      snooze === null
        ? wake
        : () =>
            run(() => snoozeUntil(screen, id, snooze.until), t('Snoozed {name}', { name }), FAILED);
    const text =
      until === null
        ? t('Snoozed {name} until they write', { name })
        : t('Snoozed {name} until {time}', { name, time: snoozeEnd(until) });
    run(() => snoozeUntil(screen, id, until), text, FAILED, undo);
  };
  const giveBack = () =>
    run(
      async () => {
        const [result] = await runBulk(screen, [{ ids: [id], action: { kind: 'unassign' } }]);
        if (result?.failure) throw new Error(result.failure.error);
      },
      t('Assignment undone'),
      t('Couldn’t undo the assignment'),
    );
  const assign = (adminId: string, codename: string) => {
    close();
    run(
      () => assignTo(screen, id, adminId),
      t('Assigned to {name}', { name: codename }),
      t('Couldn’t assign the conversation'),
      giveBack,
    );
  };
  const pinIt = () =>
    run(
      () => setPinned(screen, id, !isPinned),
      isPinned ? t('Unpinned {name}', { name }) : t('Pinned {name}', { name }),
      isPinned ? t('Couldn’t unpin the conversation') : t('Couldn’t pin the conversation'),
    );

  return {
    canWrite,
    mark,
    wake: snooze === null ? null : wake,
    putOff: () => setAsked('snooze'),
    assign: () => setAsked('assign'),
    pinIt,
    isPinned,
    dialog:
      asked &&
      conversation &&
      (asked === 'snooze' ? (
        <SnoozeDialog
          subtitle={t(
            'The conversation with {name} returns to everyone’s inbox at that time, or when they write.',
            { name },
          )}
          fan={fanZoneOf(conversation.fan.timezone, name)}
          onChoose={putOff}
          onClose={close}
        />
      ) : (
        <Dialog title={t('Assign Conversation with {name}', { name })} onClose={close}>
          <div className="-mx-2">
            <AssigneeList onChoose={assign} />
          </div>
        </Dialog>
      )),
  };
}

/** Returns the menu items, status lines and dialog for the queue actions of the open conversation. */
export function useQueue(
  conversation: Conversation | null,
  board: Board,
  onLeave: (id: string) => void,
) {
  const queue = useQueueActions(conversation, board, onLeave);
  const { canWrite, mark, wake, putOff, assign, pinIt, isPinned, dialog } = queue;
  const now = useNow();
  const snooze = conversation?.snooze ?? null;
  const disabledBecause = canWrite ? null : NO_PRIVILEGE;
  const items: MenuItem[] = [
    { label: t('Assign...'), icon: UserPlus, disabledBecause, onSelect: assign },
    { label: t('Mark Unread'), icon: MailOpen, disabledBecause, onSelect: mark },
    { label: t('Snooze...'), icon: AlarmClock, disabledBecause, onSelect: putOff },
  ];
  if (wake !== null)
    items.push({ label: t('End Snooze'), icon: AlarmClockOff, disabledBecause, onSelect: wake });
  items.push({
    label: isPinned ? t('Unpin') : t('Pin'),
    icon: isPinned ? PinOff : Pin,
    onSelect: pinIt,
  });
  const reasons = useReasons();
  return {
    items,
    lines: (
      <>
        {reasons.length > 0 && (
          <NextLine
            key={conversation?.id}
            reasons={reasons.map((reason) => reasonWords(reason, now))}
          />
        )}
        {snooze !== null && (
          <SnoozeLine words={snoozeWords(snooze, now)} onEnd={canWrite ? wake : null} />
        )}
      </>
    ),
    dialog,
  };
}

const FAILED = t('Couldn’t snooze the conversation');

/** Returns why the conversation was opened as the next one; empty if it was opened any other way. */
function useReasons(): readonly NextReason[] {
  const { state } = useLocation();
  return useMemo(() => {
    const held: unknown = (state as { reasons?: unknown } | null)?.reasons;
    return Array.isArray(held) ? (held as NextReason[]) : [];
  }, [state]);
}
