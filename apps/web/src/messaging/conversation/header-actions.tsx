import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import {
  Archive,
  ArchiveRestore,
  Flag,
  FlagOff,
  Hand,
  type LucideIcon,
  Printer,
  UserCheck,
  UserX,
} from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { DESKTOP_QUERY, useMediaQuery } from '../../lib/media-query.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/overlay/menu.tsx';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { RetryIcon } from '../../ui/retry-icon.tsx';
import { useOpenConversation } from '../messages/open-conversation.ts';
import { ACTION_KEYS, ACTIONS, type Action } from './actions.ts';
import { useFailedAction } from './run-action.ts';
import { useConversationActions } from './use-conversation-actions.tsx';

const PrintDialog = lazyExtra(async () => (await import('../thread/print-dialog.tsx')).PrintDialog);

const ICONS: Readonly<Record<Action, LucideIcon>> = {
  claim: Hand,
  release: UserX,
  release_for_other: UserX,
  take_over: UserCheck,
  archive: Archive,
  unarchive: ArchiveRestore,
  flag: Flag,
  unflag: FlagOff,
};

interface HeaderActionsProps {
  conversation: Conversation;
  /** Additional items for the three-dot menu, above Print. */
  moreActions: readonly MenuItem[];
}

/** The conversation's actions: buttons on desktop, otherwise a three-dot menu. */
export function HeaderActions({ conversation, moreActions }: HeaderActionsProps) {
  const { board } = useOpenConversation();
  const isDesktop = useMediaQuery(DESKTOP_QUERY);
  const { available, begin, retry, labelOf, disabledBecause, question } = useConversationActions(
    conversation,
    board,
  );
  const failed = useFailedAction(conversation.id);
  const [isPrinting, setPrinting] = useState(false);
  useCommands([
    {
      id: 'print',
      title: t('Print Conversation'),
      section: t('Conversation'),
      run: () => setPrinting(true),
    },
  ]);

  const inMenu = isDesktop ? available.filter((action) => !ACTION_KEYS[action]) : available;
  return (
    <>
      {failed && <RetryIcon text={failed.text} onRetry={() => retry(failed.action)} />}
      {isDesktop &&
        available
          .filter((action) => ACTION_KEYS[action])
          .map((action) => (
            <ActionButton
              // Opposite actions share a key, so React keeps the button and its focus when a click swaps them.
              key={ACTION_KEYS[action]}
              action={action}
              disabledBecause={disabledBecause}
              onClick={() => begin(action)}
            />
          ))}
      <Menu
        label={t('More Actions')}
        items={[
          ...inMenu.map((action) => ({
            label: labelOf(action),
            icon: ICONS[action],
            disabledBecause,
            onSelect: () => begin(action),
          })),
          ...moreActions,
          { label: t('Print'), icon: Printer, onSelect: () => setPrinting(true) },
        ]}
      />
      {isPrinting && <PrintDialog conversation={conversation} onClose={() => setPrinting(false)} />}
      {question}
    </>
  );
}

interface ActionButtonProps {
  action: Action;
  disabledBecause: string | null;
  onClick: () => void;
}

function ActionButton({ action, disabledBecause, onClick }: ActionButtonProps) {
  const Icon = ICONS[action];
  return (
    <Tooltip
      text={disabledBecause ?? `${ACTIONS[action].label} · ${ACTION_KEYS[action]}`}
      describes={disabledBecause !== null}
    >
      <Button
        variant="ghost"
        aria-disabled={disabledBecause !== null || undefined}
        aria-keyshortcuts={ACTION_KEYS[action]}
        onClick={disabledBecause === null ? onClick : undefined}
        className="px-2!"
        icon={<Icon className="hidden @min-[600px]:block" />}
      >
        {ACTIONS[action].label}
      </Button>
    </Tooltip>
  );
}
