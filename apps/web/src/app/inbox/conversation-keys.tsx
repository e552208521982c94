import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { useFocusedRow } from '../../inbox/list/focused-row.ts';
import { type Command, useCommands } from '../../lib/commands.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { ACTION_KEYS, type Action } from '../../messaging/conversation/actions.ts';
import { useConversationActions } from '../../messaging/conversation/use-conversation-actions.tsx';
import type { Board } from '../../messaging/messages/board.ts';
import { showProblem } from '../../ui/overlay/toast.ts';
import { boardOf } from '../live/board.ts';
import { useQueueActions } from './use-queue.tsx';

interface ConversationKeysProps {
  openId: string | null;
  /** Goes back from a conversation to the list, unless another one has been opened since. */
  onLeave: (id: string) => void;
}

/** Shortcuts that act on a whole conversation: the one of the focused row, else the open one. */
export function ConversationKeys({ openId, onLeave }: ConversationKeysProps) {
  const client = useQueryClient();
  const { id: adminId } = useAdmin();
  const board = useMemo(() => boardOf(client, adminId), [client, adminId]);
  const id = useFocusedRow() ?? openId;
  const subscribe = useCallback(
    (listener: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(listener)),
    [client],
  );
  const conversation = useSyncExternalStore(subscribe, () =>
    id === null ? null : board.known(id),
  );
  if (conversation === null) return id === null ? null : <ComingKeys />;
  return <Keys key={conversation.id} conversation={conversation} board={board} onLeave={onLeave} />;
}

/** Queues the snooze shortcut while the conversation is loading. */
function ComingKeys() {
  const { can_manage_messages: isComing } = useAdmin().permissions;
  const run = () => undefined;
  useCommands([{ ...own('snooze', t('Snooze...')), keys: ['s'], run, enabled: false, isComing }]);
  return null;
}

interface KeysProps {
  conversation: Conversation;
  board: Board;
  onLeave: (id: string) => void;
}

function Keys({ conversation, board, onLeave }: KeysProps) {
  const actions = useConversationActions(conversation, board);
  const queue = useQueueActions(conversation, board, onLeave);
  const { available, begin, labelOf } = actions;
  const enabled = actions.disabledBecause === null;
  const { isPinned } = queue;
  useCommands([
    ...refusals(conversation, available, actions.holder).map((refusal) => ({
      ...refusal,
      enabled,
    })),
    ...available.map((action) => ({
      ...own(action, labelOf(action)),
      keys: keysOf(action),
      run: () => begin(action),
      enabled,
    })),
    { ...own('mark-unread', t('Mark Unread')), keys: ['u'], run: queue.mark, enabled },
    { ...own('snooze', t('Snooze...')), keys: ['s'], run: queue.putOff, enabled },
    {
      ...own('end-snooze', t('End Snooze')),
      run: () => queue.wake?.(),
      enabled: enabled && queue.wake !== null,
    },
    { ...own('pin', isPinned ? t('Unpin') : t('Pin')), run: queue.pinIt },
  ]);
  return (
    <>
      {actions.question}
      {queue.dialog}
    </>
  );
}

const own = (id: string, title: string) => ({ id, title, section: t('Conversation') });

/** Explains, when an action's shortcut is pressed, why the action isn't possible right now. */
function refusals(
  { id, fan }: Conversation,
  available: readonly Action[],
  holder: string,
): Command[] {
  const name = displayName(fan);
  const reasons = {
    claim: t('{name} is claimed by {holder}', { name, holder }),
    archive: t('{name} is flagged. Unflag before you archive.', { name }),
    flag: t('{name} is archived. Unarchive before you flag.', { name }),
  };
  const taken = new Set(available.map((action) => ACTION_KEYS[action]));
  return (['claim', 'archive', 'flag'] as const)
    .filter((action) => !taken.has(ACTION_KEYS[action]))
    .map((action) => ({
      ...own(action, reasons[action]),
      keys: keysOf(action),
      run: () => showProblem({ key: `refused ${id}`, text: reasons[action] }),
      keysOnly: true,
    }));
}

const keysOf = (action: Action) => ACTION_KEYS[action]?.toLowerCase().split(' ') ?? [];
