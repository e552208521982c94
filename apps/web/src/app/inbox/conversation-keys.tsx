import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useFocusedRow } from '../../inbox/list/focused-row.ts';
import { useCommands } from '../../lib/commands.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { useFromCache } from '../../lib/server/use-cached.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { ACTION_KEYS, type Action, actionsFor } from '../../messaging/conversation/actions.ts';
import {
  holderOf,
  useConversationActions,
} from '../../messaging/conversation/use-conversation-actions.tsx';
import type { Board } from '../../messaging/messages/board.ts';
import { showProblem } from '../../ui/overlay/toast.ts';
import { useBoard } from '../live/board.ts';
import { useQueueActions } from './use-queue.tsx';

interface ConversationKeysProps {
  openId: string | null;
  /** Goes back from the conversation to the list, unless a different conversation has been opened since. */
  onLeave: (id: string) => void;
}

/** Shortcuts that act on the focused row's conversation, or on the open conversation if no row has the focus. */
export function ConversationKeys({ openId, onLeave }: ConversationKeysProps) {
  const board = useBoard();
  const id = useFocusedRow() ?? openId;
  const conversation = useFromCache(() => (id === null ? null : board.known(id)));
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
  const admin = useAdmin();
  const actions = useConversationActions(conversation, board);
  const queue = useQueueActions(conversation, board, onLeave);
  const { available, begin, labelOf } = actions;
  const enabled = actions.disabledBecause === null;
  const { isPinned } = queue;
  const reasons = refusals(conversation);
  /** Uses the newest state: the previous key press may have changed it since the last render. */
  const press = (like: Keyed) => {
    const newest = board.known(conversation.id) ?? conversation;
    const action = withKeyOf(like, actionsFor(newest, admin));
    if (action) begin(action);
    else showProblem({ key: `refused ${conversation.id}`, text: reasons[like] });
  };
  useCommands([
    ...KEYED.map((like) => {
      const action = withKeyOf(like, available);
      return {
        ...own(action ?? like, action ? labelOf(action) : reasons[like]),
        keys: [`${ACTION_KEYS[like]}`.toLowerCase()],
        run: () => press(like),
        keysOnly: action === undefined,
        enabled,
      };
    }),
    ...available
      .filter((action) => !KEYED.some((like) => withKeyOf(like, [action])))
      .map((action) => ({ ...own(action, labelOf(action)), run: () => begin(action), enabled })),
    { ...own('assign', t('Assign...')), run: queue.assign, enabled },
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

/** The shortcut keys, each named by its action. The same key also runs the opposite action, such as 'release'. */
const KEYED = ['claim', 'archive', 'flag'] as const;
type Keyed = (typeof KEYED)[number];

const withKeyOf = (like: Keyed, actions: readonly Action[]) =>
  actions.find((action) => ACTION_KEYS[action] === ACTION_KEYS[like]);

/** Returns, for each key, the message to show if its action is not possible. */
function refusals(conversation: Conversation): Record<Keyed, string> {
  const name = displayName(conversation.fan);
  const holder = holderOf(conversation);
  return {
    claim: t('{name} is claimed by {holder}', { name, holder }),
    archive: t('{name} is flagged. Unflag before you archive.', { name }),
    flag: t('{name} is archived. Unarchive before you flag.', { name }),
  };
}
