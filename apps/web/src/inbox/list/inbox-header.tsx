import type { InboxStats } from '@stagedoor/contract/inbox/conversations';
import { LayoutDashboard, LogOut, type LucideIcon, Tags, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { PaletteButton } from '../../ui/palette-button.tsx';

/** The actions of the header's buttons; null hides a button. */
export interface InboxActions {
  console: (() => void) | null;
  tags: () => void;
  invite: () => void;
  signOut: () => void;
}

interface InboxHeaderProps {
  actions: InboxActions;
  stats: InboxStats | undefined;
  /** Shown next to the title. */
  settings: ReactNode;
}

/** The inbox's title, navigation and statistics. */
export function InboxHeader({ actions, stats, settings }: InboxHeaderProps) {
  useCommands([
    { id: 'library', title: t('Tags'), section: t('General'), run: actions.tags },
    { id: 'invite', title: t('Invite Users'), section: t('General'), run: actions.invite },
    { id: 'sign_out', title: t('Sign Out'), section: t('Account'), run: actions.signOut },
  ]);
  return (
    <header className="@container px-3 pt-[max(12px,env(safe-area-inset-top))]">
      <div className="flex items-center justify-between gap-2">
        <h1 className="me-auto min-w-0 truncate text-title font-semibold tracking-tight">
          {t('Fan Messages')}
        </h1>
        <PaletteButton />
        {settings}
      </div>
      <nav aria-label={t('Tools')} className="-mx-2 mt-1 flex items-center justify-between gap-0.5">
        {actions.console !== null && (
          <HeaderButton label={t('Console')} icon={LayoutDashboard} onClick={actions.console} />
        )}
        <HeaderButton label={t('Tags')} icon={Tags} onClick={actions.tags} />
        <HeaderButton label={t('Invite Users')} icon={UserPlus} onClick={actions.invite} />
        <HeaderButton label={t('Sign Out')} icon={LogOut} onClick={actions.signOut} />
      </nav>
      <dl className="mt-2 grid grid-cols-3 gap-2">
        <StatTile label={t('Total')} value={stats?.total_conversations} />
        <StatTile label={t('Unread', 'conversations')} value={stats?.unread_count} />
        <StatTile label={t('Today')} value={stats?.new_today} />
      </dl>
    </header>
  );
}

interface HeaderButtonProps {
  label: string;
  icon: LucideIcon;
  onClick: () => void;
}

function HeaderButton({ label, icon: Icon, onClick }: HeaderButtonProps) {
  return (
    <Button
      variant="ghost"
      size="small"
      onClick={onClick}
      icon={
        <Icon
          aria-hidden="true"
          size={16}
          strokeWidth={1.75}
          className="hidden @min-[440px]:block"
        />
      }
    >
      {label}
    </Button>
  );
}

function StatTile({ label, value }: { label: string; value: number | undefined }) {
  return (
    <div className="flex flex-row-reverse items-baseline justify-end gap-1.5 rounded-control bg-surface-2 px-2.5 py-1.5">
      <dt className="truncate text-meta text-fg-2">{label}</dt>
      <dd className="text-message font-semibold tabular-nums">
        {value === undefined ? '–' : formatCount(value)}
      </dd>
    </div>
  );
}
