import type { Conversation } from '@stagedoor/contract/conversations';
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
import { Suspense, useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { t } from '../../lib/i18n.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { DESKTOP_QUERY, useMediaQuery } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { RetryIcon } from '../../ui/retry-icon.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { ACTIONS, type Action, actionsFor } from './actions.ts';
import type { Board } from './board.ts';
import { useActions } from './use-actions.ts';

const PrintDialog = lazyPart(async () => (await import('./print-dialog.tsx')).PrintDialog);

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

const KEYS: Readonly<Partial<Record<Action, string>>> = {
  claim: 'C',
  release: 'C',
  archive: 'E',
  unarchive: 'E',
  flag: '!',
  unflag: '!',
};

const NO_PRIVILEGE = t('You do not have message privileges. Ask a manager to grant them.');

/** What is asked before one acts on a colleague's claim. */
const QUESTIONS = {
  release_for_other: {
    label: (name: string) => t('Release for {name}', { name }),
    title: (name: string) => t('Release for {name}?', { name }),
    text: (name: string) =>
      t('{name} has claimed this conversation. Anyone can claim it afterwards.', { name }),
    confirm: t('Release'),
  },
  take_over: {
    label: (name: string) => t('Take over from {name}', { name }),
    title: (name: string) => t('Take over from {name}?', { name }),
    text: (name: string) =>
      t('{name} has claimed this conversation. It will be yours instead.', { name }),
    confirm: t('Take Over'),
  },
} as const;

interface HeaderActionsProps {
  conversation: Conversation;
  board: Board;
  /** Behind three dots, after those of its own. */
  moreActions: readonly MenuItem[];
}

/** What can be done with the conversation: buttons on a desktop, else behind three dots. */
export function HeaderActions({ conversation, board, moreActions }: HeaderActionsProps) {
  const admin = useAdmin();
  const isDesktop = useMediaQuery(DESKTOP_QUERY);
  const { run, failed } = useActions(conversation.id, board);
  const [asking, setAsking] = useState<keyof typeof QUESTIONS | null>(null);
  const [isPrinting, setPrinting] = useState(false);
  const disabledBecause = admin.permissions.can_manage_messages ? null : NO_PRIVILEGE;
  const available = actionsFor(conversation, admin);
  const begin = (action: Action) =>
    action in QUESTIONS ? setAsking(action as keyof typeof QUESTIONS) : run(action);
  const holder = conversation.claimant?.codename ?? t('another admin');
  const labelOf = (action: Action) =>
    action in QUESTIONS
      ? QUESTIONS[action as keyof typeof QUESTIONS].label(holder)
      : ACTIONS[action].label;
  useCommands([
    ...available.map((action) => ({
      id: action,
      title: labelOf(action),
      section: t('Conversation'),
      keys: KEYS[action] ? [KEYS[action].toLowerCase()] : [],
      run: () => begin(action),
      enabled: disabledBecause === null,
    })),
    {
      id: 'print',
      title: t('Print conversation'),
      section: t('Conversation'),
      run: () => setPrinting(true),
    },
  ]);

  const inMenu = isDesktop ? available.filter((action) => !KEYS[action]) : available;
  const isOthers = conversation.claimed_by !== null && conversation.claimed_by !== admin.id;
  return (
    <>
      {isOthers && (
        <Tooltip text={t('Claimed by {name}', { name: holder })}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who holds it is told by the tooltip, by keys too */}
          <span tabIndex={0} className="inline-flex rounded-chip">
            <Badge>{t('Claimed by other')}</Badge>
          </span>
        </Tooltip>
      )}
      {failed && <RetryIcon text={failed.text} onRetry={() => run(failed.action)} />}
      {isDesktop &&
        available
          .filter((action) => KEYS[action])
          .map((action) => (
            <ActionButton
              // The button that replaces it on a click is the same control: it keeps the focus.
              key={KEYS[action]}
              action={action}
              disabledBecause={disabledBecause}
              onClick={() => begin(action)}
            />
          ))}
      <Menu
        label={t('More actions')}
        items={[
          ...inMenu.map((action) => ({
            label: labelOf(action),
            icon: ICONS[action],
            disabledBecause,
            onSelect: () => begin(action),
          })),
          { label: t('Print'), icon: Printer, onSelect: () => setPrinting(true) },
          ...moreActions,
        ]}
      />
      {isPrinting && (
        <Suspense fallback={null}>
          <PrintDialog conversation={conversation} onClose={() => setPrinting(false)} />
        </Suspense>
      )}
      {asking && (
        <ConfirmDialog
          title={QUESTIONS[asking].title(holder)}
          text={QUESTIONS[asking].text(holder)}
          confirmLabel={QUESTIONS[asking].confirm}
          onCancel={() => setAsking(null)}
          onConfirm={() => {
            setAsking(null);
            run(asking);
          }}
        />
      )}
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
      text={disabledBecause ?? `${ACTIONS[action].label} · ${KEYS[action]}`}
      describes={disabledBecause !== null}
    >
      <Button
        variant="ghost"
        aria-disabled={disabledBecause !== null || undefined}
        aria-keyshortcuts={KEYS[action]}
        onClick={disabledBecause === null ? onClick : undefined}
        className="px-2!"
        icon={
          <Icon
            aria-hidden="true"
            size={16}
            strokeWidth={1.75}
            className="hidden @min-[600px]:block"
          />
        }
      >
        {ACTIONS[action].label}
      </Button>
    </Tooltip>
  );
}
