import { lazyExtra } from '@stagedoor/browser/lazy-part';
import { useQuery } from '@tanstack/react-query';
import { SquareTerminal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { noteDrafts } from '../../fans/notes/note-drafts.ts';
import { inboxStatsOptions } from '../../inbox/list/queries.ts';
import { runCommand, useCommands } from '../../lib/commands.ts';
import { lazyAfterFirstPaint } from '../../lib/lazy-loads.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { clearDrafts, hasAnyDraft } from '../../messaging/composer/drafts.ts';
import { leaveSession } from '../../team/auth/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { useInboxTools } from './use-inbox-tools.ts';
import { useConversationPath } from './use-open-conversation.ts';

const TagLibrary = lazyExtra(
  async () => (await import('../../fans/tags/tag-library.tsx')).TagLibrary,
);
const InviteDialog = lazyExtra(
  async () => (await import('../../fans/invites/invite-dialog.tsx')).InviteDialog,
);
const HandoverEntry = lazyAfterFirstPaint(
  async () => (await import('../../messaging/handovers/handover-entry.tsx')).HandoverEntry,
);

/** The inbox's title and counts, links to tools and pages, and the admin's mentions, handovers and due promises. */
export function InboxHeader() {
  const { can_manage_admins: managesAdmins } = useAdmin().permissions;
  const navigate = useNavigate();
  const isSplit = useIsSplit();
  const tools = useInboxTools();
  const pathOf = useConversationPath();
  const { data: stats } = useQuery(inboxStatsOptions);
  const [opened, setOpened] = useState<'library' | 'invite' | null>(null);
  const close = () => setOpened(null);
  const { signOut, dialog } = useSignOut();
  const general = t('General');
  const links = [
    { id: 'library', title: t('Tags'), section: general, run: () => setOpened('library') },
    {
      id: 'invite',
      title: t('Invite Users', 'link'),
      section: general,
      run: () => setOpened('invite'),
    },
    { id: 'sign_out', title: t('Sign Out'), section: t('Account'), run: signOut },
  ];
  useCommands(links);
  return (
    <>
      <header className="@container px-3 pt-[max(8px,env(safe-area-inset-top))]">
        <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center">
          <h1 className="truncate text-title font-semibold tracking-tight">{t('Fan Messages')}</h1>
          <div className="flex min-h-8 items-center gap-0.5 max-md:row-span-2">
            <PaletteButton />
            {tools && (
              <>
                {isSplit && <tools.NextControl />}
                <tools.TeamMenu />
                <tools.SettingsPanel />
              </>
            )}
          </div>
          <dl className="flex flex-wrap gap-x-2.5 text-meta md:col-span-2">
            <StatTile label={t('Total')} value={stats?.total_conversations} />
            <StatTile label={t('Unread', 'conversations')} value={stats?.unread_count} />
            <StatTile label={t('Today')} value={stats?.new_today} />
          </dl>
        </div>
        <nav
          aria-label={t('Tools')}
          className="tools -mx-2 flex min-h-7 flex-wrap items-center *:last:ms-auto coarse:min-h-11"
        >
          {managesAdmins && (
            <HeaderButton label={t('Console')} onClick={() => void navigate('/console')} />
          )}
          {tools && <tools.PromisesDue linkTo={pathOf} />}
          {links.map(({ id, title, run }) => (
            <HeaderButton key={id} label={title} onClick={run} />
          ))}
        </nav>
      </header>
      {(stats?.open_handovers ?? 0) > 0 && <HandoverEntry onOpen={() => runCommand('handovers')} />}
      {opened === 'invite' && <InviteDialog onClose={close} />}
      {opened === 'library' && <TagLibrary onClose={close} />}
      {dialog}
    </>
  );
}

function StatTile({ label, value }: { label: string; value: number | undefined }) {
  return (
    <div className="flex flex-row-reverse items-baseline gap-1">
      <dt className="text-fg-3">{label}</dt>
      <dd className="font-semibold tabular-nums">
        {value === undefined ? '–' : formatCount(value)}
      </dd>
    </div>
  );
}

function HeaderButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="ghost" size="small" onClick={onClick}>
      {label}
    </Button>
  );
}

const ConfirmDialog = lazyExtra(
  async () => (await import('../../ui/overlay/confirm-dialog.tsx')).ConfirmDialog,
);

/** Loads the lazy sign-out code. If that fails, signing out continues without it. */
const loadParts = () =>
  import('../sign-out-parts.ts').catch((error: unknown) => {
    console.error('Failed to load', error);
    return null;
  });

/** Returns the sign-out action and its dialog, which asks for confirmation first if signing out would delete drafts. */
function useSignOut(): { signOut: () => void; dialog: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const leave = async () => {
    const parts = await loadParts();
    // The server stores drafts too, for the admin's other devices.
    if (hasAnyDraft()) await parts?.deleteStoredDrafts();
    clearDrafts();
    noteDrafts.clear();
    parts?.clearTexts();
    parts?.removeAllFiles();
    leaveSession();
    // Erases the data stored for offline use, even if the code that stores it has not loaded yet.
    await parts?.eraseAnswers().catch((error: unknown) => console.error('Failed to erase', error));
  };
  const begin = async () => {
    const parts = await loadParts();
    // Files chosen before the last reload must be restored to be counted.
    await parts?.restoreFiles();
    const hasText = hasAnyDraft() || noteDrafts.hasAny() || parts?.hasAnyText();
    if (hasText || parts?.hasFiles()) setIsAsking(true);
    else await leave();
  };
  const dialog = isAsking && (
    <ConfirmDialog
      title={t('Sign out?')}
      text={t('You have drafts you haven’t sent. Signing out deletes them.')}
      confirmLabel={t('Sign Out')}
      onConfirm={() => void leave()}
      onClose={() => setIsAsking(false)}
    />
  );
  return { signOut: () => void begin(), dialog };
}

const KEYS = navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K';

/** Opens the command palette, for people who don't know its shortcut or have no keyboard. */
function PaletteButton() {
  return (
    <Button
      variant="ghost"
      size="small"
      className="max-md:hidden"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => runCommand('palette')}
      icon={<SquareTerminal className="hidden coarse:block" />}
    >
      <span className="@max-[520px]:sr-only">{t('Commands')}</span>
      <span aria-hidden="true" className="coarse:hidden">
        <Kbd>{KEYS}</Kbd>
      </span>
    </Button>
  );
}
