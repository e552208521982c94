import { type Conversation, markRead } from '@stagedoor/contract/conversations';
import type { NextReason } from '@stagedoor/contract/queue';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { AlarmClock, AlarmClockOff, MailOpen, Pin, PinOff } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import type { Board } from '../features/conversation/board.ts';
import { inboxKeys } from '../features/inbox/queries.ts';
import { endSnooze, markAsUnread, setPinned, snoozeUntil } from '../features/queue/actions.ts';
import { pinsOptions } from '../features/queue/queries.ts';
import { NextLine, SnoozeLine } from '../features/queue/queue-lines.tsx';
import { snoozeWords } from '../features/queue/words.ts';
import { call, errorText } from '../lib/api.ts';
import { useCommands } from '../lib/commands.ts';
import { displayName } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useAdmin } from '../lib/session.ts';
import { useNow } from '../lib/use-now.ts';
import type { MenuItem } from '../ui/menu.tsx';
import { showToast } from '../ui/toast.ts';
import { reasonWords } from './next-reasons.ts';

const SnoozeDialog = lazyPart(
  async () => (await import('../features/queue/snooze-dialog.tsx')).SnoozeDialog,
);

const NO_PRIVILEGE = t('You do not have message privileges. Ask a manager to grant them.');

/** What staff do about when a conversation is answered: entries of its menu, the lines that tell of it, and the dialog. */
export function useQueue(
  conversation: Conversation | null,
  board: Board,
  onLeave: (id: string) => void,
) {
  const client = useQueryClient();
  const canWrite = useAdmin().permissions.can_manage_messages;
  const { data: pins } = useQuery(pinsOptions);
  const now = useNow();
  const [isSnoozing, setSnoozing] = useState(false);
  const screen = useMemo(() => ({ client, board }), [client, board]);
  const id = conversation?.id ?? '';
  const isPinned = pins?.some((pinned) => pinned.id === id) ?? false;
  const snooze = conversation?.snooze ?? null;

  /** Does it, and says so once it is done, or why it is not. */
  const run = (work: Promise<void>, done: string, failed: string, onUndo?: () => void) => {
    work.then(
      () => showToast({ text: done, onUndo }),
      (error: unknown) => showToast({ text: errorText(error, failed) }),
    );
  };
  const readAgain = () => {
    const work = call(markRead, { params: { id } })
      .then(() => board.refresh(id))
      .then(() => client.invalidateQueries({ queryKey: inboxKeys.stats }));
    run(work, t('Marked as read'), t('Failed to mark as read'));
  };
  const mark = () => {
    run(
      markAsUnread(screen, id).then(() => onLeave(id)),
      t('Marked as unread'),
      t('Failed to mark as unread'),
      readAgain,
    );
  };
  const wake = () => run(endSnooze(screen, id), t('Snooze ended'), t('Failed to end the snooze'));
  const putOff = (until: string | null) => {
    setSnoozing(false);
    const undo =
      snooze === null
        ? wake
        : () => run(snoozeUntil(screen, id, snooze.until), t('Snoozed'), FAILED);
    const text = t('Snoozed {until}', { until: snoozeWords({ until }, Date.now()) });
    run(snoozeUntil(screen, id, until), text, FAILED, undo);
  };
  const pinIt = () =>
    run(
      setPinned(screen, id, !isPinned),
      isPinned ? t('Unpinned') : t('Pinned'),
      isPinned ? t('Failed to unpin') : t('Failed to pin'),
    );

  const disabledBecause = canWrite ? null : NO_PRIVILEGE;
  const items: MenuItem[] = [
    { label: t('Mark unread'), icon: MailOpen, disabledBecause, onSelect: mark },
    { label: t('Snooze...'), icon: AlarmClock, disabledBecause, onSelect: () => setSnoozing(true) },
  ];
  if (snooze !== null)
    items.push({ label: t('End snooze'), icon: AlarmClockOff, disabledBecause, onSelect: wake });
  items.push({
    label: isPinned ? t('Unpin') : t('Pin'),
    icon: isPinned ? PinOff : Pin,
    onSelect: pinIt,
  });
  const isThere = conversation !== null;
  useCommands([
    {
      ...own('mark-unread', t('Mark unread')),
      keys: ['u'],
      run: mark,
      enabled: isThere && canWrite,
    },
    {
      ...own('snooze', t('Snooze...')),
      keys: ['s'],
      run: () => setSnoozing(true),
      enabled: isThere && canWrite,
      isComing: !isThere && canWrite,
    },
    {
      ...own('end-snooze', t('End snooze')),
      run: wake,
      enabled: isThere && canWrite && snooze !== null,
    },
    { ...own('pin', isPinned ? t('Unpin') : t('Pin')), run: pinIt, enabled: isThere },
  ]);

  const reasons = useReasons();
  return {
    items,
    lines: (
      <>
        {reasons.length > 0 && (
          <NextLine key={id} reasons={reasons.map((reason) => reasonWords(reason, now))} />
        )}
        {snooze !== null && (
          <SnoozeLine words={snoozeWords(snooze, now)} onEnd={canWrite ? wake : null} />
        )}
      </>
    ),
    dialog: isSnoozing && conversation && (
      <Suspense fallback={null}>
        <SnoozeDialog
          fanName={displayName(conversation.fan)}
          onChoose={putOff}
          onClose={() => setSnoozing(false)}
        />
      </Suspense>
    ),
  };
}

const FAILED = t('Failed to snooze');
const own = (id: string, title: string) => ({ id, title, section: t('Conversation') });

/** Why the conversation was opened as the next one; empty where it was opened otherwise. */
function useReasons(): readonly NextReason[] {
  const { state } = useLocation();
  return useMemo(() => {
    const held: unknown = (state as { reasons?: unknown } | null)?.reasons;
    return Array.isArray(held) ? (held as NextReason[]) : [];
  }, [state]);
}
