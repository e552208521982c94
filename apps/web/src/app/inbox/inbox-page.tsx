import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { InboxPanel } from '../../inbox/list/inbox-panel.tsx';
import { inboxStatsOptions } from '../../inbox/list/queries.ts';
import { useCommands } from '../../lib/commands.ts';
import { later, lazyAfterFirstPaint } from '../../lib/lazy-loads.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { useCached } from '../../lib/server/use-cached.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import type { TeamDialog } from '../team-parts.tsx';
import { useSignOut } from '../use-sign-out.tsx';
import { useTitle } from '../use-title.ts';
import { rowMarks } from './row-marks.tsx';
import { useCurrentTag } from './use-current-tag.ts';
import { useInboxTools } from './use-inbox-tools.ts';
import { useMessageSearch } from './use-message-search.tsx';
import { inboxPath, messagesPath, useOpenConversation } from './use-open-conversation.ts';

const loadScreen = () => import('./conversation-screen.tsx');
const ConversationScreen = lazyPart(async () => (await loadScreen()).ConversationScreen);
const ConversationKeys = lazyPart(async () => (await loadScreen()).ConversationKeys);
const TagLibrary = lazyPart(
  async () => (await import('../../fans/tags/tag-library.tsx')).TagLibrary,
);
const InviteDialog = lazyPart(
  async () => (await import('../../fans/invites/invite-dialog.tsx')).InviteDialog,
);
const HandoverEntry = lazyAfterFirstPaint(
  async () => (await import('../../messaging/handovers/handover-entry.tsx')).HandoverEntry,
);
const KeptNote = lazyPart(async () => (await import('./kept-note.tsx')).KeptNote);

const NO_PINS: readonly Conversation[] = [];

/** How long after the first rows the conversation and the console are preloaded. Milliseconds. */
const SCREEN_PRELOAD_MS = 500;

/** The inbox and the open conversation: side by side if there is room, else one of them. */
export function InboxPage() {
  const admin = useAdmin();
  const managesAdmins = admin.permissions.can_manage_admins;
  const navigate = useNavigate();
  const isSplit = useIsSplit();
  const selectedId = useOpenConversation(isSplit);
  const selected = useCached<Conversation>(['conversation', selectedId ?? '']) ?? null;
  // Fetched by the lazy tools for the next fan, which load after the first rows.
  const pins = useCached<readonly Conversation[]>(['inbox', 'pins']) ?? NO_PINS;
  const { data: stats } = useQuery(inboxStatsOptions);
  const isKept = useCached<boolean>(['kept']);
  const { signOut, dialog } = useSignOut();
  const tools = useInboxTools();
  const pathOf = isSplit ? inboxPath : messagesPath;
  const messageSearch = useMessageSearch({ pathOf, selected });
  const [tag, setTag] = useState<TagFilter | null>(null);
  const shownTag = useCurrentTag(tag);
  const [teamDialog, setTeamDialog] = useState<TeamDialog | null>(null);
  const [isLibraryOpen, setLibraryOpen] = useState(false);
  const [isInviteOpen, setInviteOpen] = useState(false);
  useTitle();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    void later(async () => {
      if (isOver) return;
      timer = setTimeout(() => {
        void loadScreen();
        if (managesAdmins) void import('../console-page.tsx');
      }, SCREEN_PRELOAD_MS);
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [managesAdmins]);

  const leave = () => void navigate('/inbox');
  // An action may finish after another conversation or page was opened.
  const openNow = useRef<string | null>(null);
  useEffect(() => {
    openNow.current = selectedId;
    return () => {
      openNow.current = null;
    };
  }, [selectedId]);
  const leaveIfOpen = (id: string) => {
    if (openNow.current === id) leave();
  };
  const leaveUnknown = () => {
    console.warn(`Conversation ${selectedId} was not found`);
    void navigate('/inbox', { replace: true });
  };
  const open = (id: string, noteId?: string) => void navigate(pathOf(id, noteId));
  const filterByTag = (chosen: TagFilter) => {
    setTag(chosen);
    if (!isSplit) leave();
  };
  const isListHidden = !isSplit && selectedId !== null;
  return (
    <main className="flex h-full">
      {isListHidden && <h1 className="sr-only">{t('Fan Messages')}</h1>}
      <div
        className={classes(
          'relative h-full w-full md:w-[clamp(320px,35%,480px)] md:shrink-0 md:border-e md:border-line',
          isListHidden && 'hidden',
        )}
      >
        <InboxPanel
          selectedId={selectedId}
          selected={selected}
          linkTo={pathOf}
          actions={{
            console: managesAdmins ? () => void navigate('/console') : null,
            tags: () => setLibraryOpen(true),
            invite: () => setInviteOpen(true),
            signOut,
          }}
          {...rowMarks}
          tools={tools?.inboxTools ?? null}
          pins={pins}
          adminId={admin.id}
          settings={
            <span className="flex items-center gap-0.5">
              {tools ? (
                <>
                  {isSplit && <tools.NextControl openId={selectedId} linkTo={pathOf} />}
                  <tools.PromisesDue linkTo={pathOf} />
                </>
              ) : (
                // A placeholder about as wide as the tools, so that nothing shifts.
                <span className="w-[99px] @max-[440px]:w-[68px]" />
              )}
              <span className="size-8 shrink-0">
                {tools && (
                  <tools.TeamMenu dialog={teamDialog} onDialog={setTeamDialog} onOpen={open} />
                )}
              </span>
              <span className="-me-1.5 size-8 shrink-0">{tools && <tools.SettingsPanel />}</span>
            </span>
          }
          notice={
            (stats?.open_handovers ?? 0) > 0 && (
              <Suspense fallback={null}>
                <HandoverEntry onOpen={() => setTeamDialog('handovers')} />
              </Suspense>
            )
          }
          tag={shownTag}
          onTagChange={setTag}
          onSearchMessages={messageSearch.search}
        />
        {tools && !isKept && (
          <tools.ConnectionBar isInList isBeside={isSplit && selectedId !== null} />
        )}
        <Suspense fallback={null}>{isKept && <KeptNote />}</Suspense>
      </div>
      {selectedId !== null && (
        <div className="h-full min-w-0 flex-1 bg-bg">
          <Suspense fallback={<ScreenWaiting canWrite={admin.permissions.can_manage_messages} />}>
            <ConversationScreen
              id={selectedId}
              onBack={isSplit ? undefined : leave}
              onLeave={leaveIfOpen}
              onMissing={leaveUnknown}
              onFilterByTag={filterByTag}
            />
          </Suspense>
        </div>
      )}
      {selectedId === null && isSplit && (
        <div className="h-full min-w-0 flex-1 bg-bg">{tools && <tools.NothingSelected />}</div>
      )}
      {dialog}
      {messageSearch.dialog}
      {tools && <tools.Toaster />}
      {(tools || selectedId !== null) && (
        <Suspense fallback={null}>
          <ConversationKeys openId={selectedId} onLeave={leaveIfOpen} />
        </Suspense>
      )}
      <Suspense fallback={null}>
        {tools && <tools.LazyDialogs />}
        {isInviteOpen && <InviteDialog onClose={() => setInviteOpen(false)} />}
        {isLibraryOpen && <TagLibrary onClose={() => setLibraryOpen(false)} />}
      </Suspense>
    </main>
  );
}

/** Shown while the conversation's code loads. Its shortcuts are already queued. */
function ScreenWaiting({ canWrite }: { canWrite: boolean }) {
  const command = { title: '', section: '', run: () => undefined, enabled: false };
  useCommands([
    { ...command, id: 'notes', keys: ['n'], isComing: true },
    { ...command, id: 'snooze', keys: ['s'], isComing: canWrite },
  ]);
  return <CenteredSpinner text={t('Loading conversation...')} />;
}
