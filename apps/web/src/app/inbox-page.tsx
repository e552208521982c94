import type { Conversation } from '@stagedoor/contract/conversations';
import { skipToken, useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { useLocation, useMatch, useNavigate } from 'react-router';
import type { QueueMarks } from '../features/inbox/conversation-row.tsx';
import { InboxPanel, type InboxPanelProps } from '../features/inbox/inbox-panel.tsx';
import { inboxKeys, inboxStatsOptions, type TagFilter } from '../features/inbox/queries.ts';
import { SubscriptionBadge } from '../features/subscriptions/subscription-badge.tsx';
import { globalTagsOptions } from '../features/tags/queries.ts';
import { displayName } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { useShortcutsOn } from '../lib/keyboard.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { useIsSplit } from '../lib/media-query.ts';
import { useAdmin } from '../lib/session.ts';
import { classes } from '../ui/classes.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { CenteredSpinner } from '../ui/spinner.tsx';
import { DraftMark } from './draft-mark.tsx';
import { LaterDialogs } from './later-dialogs.tsx';
import type { TeamDialog } from './team-menu.tsx';
import { useMessageSearch } from './use-message-search.tsx';
import { useSignOut } from './use-sign-out.tsx';

const loadScreen = () => import('./conversation-screen.tsx');
const ConversationScreen = lazyPart(async () => (await loadScreen()).ConversationScreen);
const TagLibrary = lazyPart(
  async () => (await import('../features/tags/tag-library.tsx')).TagLibrary,
);
const InviteDialog = lazyPart(
  async () => (await import('../features/invites/invite-dialog.tsx')).InviteDialog,
);
const SettingsPanel = lazyPart(async () => (await import('./settings-panel.tsx')).SettingsPanel);
const TeamMenu = lazyPart(async () => (await import('./team-menu.tsx')).TeamMenu);
const TagControl = lazyPart(async () => (await import('./tag-control.tsx')).TagControl);
const loadQueueTools = () => import('./queue-tools.tsx');
const NextControl = lazyPart(async () => (await loadQueueTools()).NextControl);
const QueueToggle = lazyPart(async () => (await loadQueueTools()).QueueToggle);
const QueueState = lazyPart(async () => (await loadQueueTools()).QueueState);
const Waiting = lazyPart(async () => (await loadQueueTools()).Waiting);
const RowCheck = lazyPart(async () => (await loadQueueTools()).RowCheck);
const BulkBar = lazyPart(async () => (await import('./bulk-bar.tsx')).BulkBar);
const ViewsControl = lazyPart(async () => (await import('./views-control.tsx')).ViewsControl);
const PromisesDue = lazyPart(
  async () => (await import('../features/statements/promises-due.tsx')).PromisesDue,
);
const HandoverEntry = lazyPart(
  async () => (await import('../features/handovers/handover-entry.tsx')).HandoverEntry,
);
const KeptNote = lazyPart(async () => (await import('./kept-note.tsx')).KeptNote);
const Toaster = lazyPart(async () => (await import('../ui/toaster.tsx')).Toaster);

const loadFaces = () => import('../features/presence/faces.tsx');
const RowFaces = lazyPart(async () => (await loadFaces()).RowFaces);
const RowCompany = lazyPart(async () => (await loadFaces()).RowCompany);

const draftMark = (id: string) => <DraftMark conversationId={id} />;
const fanMark = ({ subscription }: Conversation['fan']) =>
  subscription && <SubscriptionBadge subscription={subscription} />;

const queueMarks: QueueMarks = {
  state: (conversation, isPinned) =>
    (isPinned || conversation.snooze !== null) && (
      <Suspense fallback={null}>
        <QueueState conversation={conversation} isPinned={isPinned} />
      </Suspense>
    ),
  check: ({ id, fan }) => (
    <Suspense fallback={null}>
      <RowCheck id={id} name={displayName(fan)} />
    </Suspense>
  ),
  waiting: (since) => (
    <Suspense fallback={null}>
      <Waiting since={since} />
    </Suspense>
  ),
  faces: (id) => (
    <Suspense fallback={null}>
      <RowFaces conversationId={id} />
    </Suspense>
  ),
  company: (id) => (
    <Suspense fallback={null}>
      <RowCompany conversationId={id} />
    </Suspense>
  ),
};
const queueToggle = (isOn: boolean, onToggle: () => void) => (
  <span className="size-8 shrink-0 coarse:size-11">
    <Suspense fallback={null}>
      <QueueToggle isOn={isOn} onToggle={onToggle} />
    </Suspense>
  </span>
);
const viewsControl: InboxPanelProps['viewsControl'] = (state, onChoose) => (
  <span className="size-8 shrink-0 coarse:size-11">
    <Suspense fallback={null}>
      <ViewsControl state={state} onChoose={onChoose} />
    </Suspense>
  </span>
);
const bulkBar: InboxPanelProps['bulkBar'] = (rows, listKey) => (
  <Suspense fallback={null}>
    <BulkBar rows={rows} listKey={listKey} />
  </Suspense>
);
const NO_PINS: readonly Conversation[] = [];

const inboxPath = (id: string) => `/inbox/${encodeURIComponent(id)}`;
const messagesPath = (id: string) => `/messages/${encodeURIComponent(id)}`;

/** The conversation and the console are not part of the first load; they are fetched this much later, before they are chosen. */
const SCREEN_PRELOAD_MS = 1_000;

/** The inbox and the open conversation: side by side where there is room, else one or the other. */
export function InboxPage() {
  const admin = useAdmin();
  const managesAdmins = admin.permissions.can_manage_admins;
  const navigate = useNavigate();
  const isSplit = useIsSplit();
  const selectedId = useOpenConversation(isSplit);
  const { data: selected = null } = useQuery<Conversation>({
    queryKey: ['conversation', selectedId],
    queryFn: skipToken,
  });
  // Fetched by the tools that show what is next, which come after the first rows and know how.
  const { data: pins = NO_PINS } = useQuery<Conversation[]>({
    queryKey: inboxKeys.pins,
    enabled: false,
  });
  const { data: stats } = useQuery(inboxStatsOptions);
  const { data: isKept } = useQuery<boolean>({
    queryKey: ['kept'],
    enabled: false,
  });
  const { signOut, dialog } = useSignOut();
  const pathOf = isSplit ? inboxPath : messagesPath;
  const messageSearch = useMessageSearch({ pathOf, selected });
  const [tag, setTag] = useState<TagFilter | null>(null);
  const shownTag = useCurrentTag(tag);
  const [teamDialog, setTeamDialog] = useState<TeamDialog | null>(null);
  const [isLibraryOpen, setLibraryOpen] = useState(false);
  const [isInviteOpen, setInviteOpen] = useState(false);
  useTitle();
  useEffect(() => {
    const idle = setTimeout(() => {
      void loadScreen();
      if (managesAdmins) void import('./console-page.tsx');
    }, SCREEN_PRELOAD_MS);
    return () => clearTimeout(idle);
  }, [managesAdmins]);

  const leave = () => void navigate('/inbox');
  const leaveUnknown = () => {
    console.warn(`Conversation ${selectedId} was not found`);
    void navigate('/inbox', { replace: true });
  };
  const open = (id: string, noteId?: string) =>
    void navigate((isSplit ? inboxPath : messagesPath)(id), { state: { showNote: noteId } });
  const filterByTag = (chosen: TagFilter) => {
    setTag(chosen);
    if (!isSplit) leave();
  };
  const isListHidden = !isSplit && selectedId !== null;
  return (
    <main className="flex h-dvh">
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
          draftMark={draftMark}
          fanMark={fanMark}
          queueMarks={queueMarks}
          queueToggle={queueToggle}
          viewsControl={viewsControl}
          bulkBar={bulkBar}
          pins={pins}
          adminId={admin.id}
          settings={
            <span className="flex items-center gap-0.5">
              <Suspense fallback={null}>
                <NextControl openId={selectedId} linkTo={isSplit ? inboxPath : messagesPath} />
                <PromisesDue linkTo={isSplit ? inboxPath : messagesPath} />
              </Suspense>
              <span className="size-8 shrink-0">
                <Suspense fallback={null}>
                  <TeamMenu dialog={teamDialog} onDialog={setTeamDialog} onOpen={open} />
                </Suspense>
              </span>
              <span className="-me-1.5 size-8 shrink-0">
                <Suspense fallback={null}>
                  <SettingsPanel />
                </Suspense>
              </span>
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
          tagControl={
            <span className="size-8 shrink-0 coarse:size-11">
              <Suspense fallback={null}>
                <TagControl onChoose={setTag} />
              </Suspense>
            </span>
          }
        />
        <Suspense fallback={null}>{isKept && <KeptNote />}</Suspense>
      </div>
      {selectedId !== null && (
        <div className="h-full min-w-0 flex-1 bg-bg">
          <Suspense fallback={<CenteredSpinner text={t('Loading conversation...')} />}>
            <ConversationScreen
              id={selectedId}
              onBack={isSplit ? undefined : leave}
              onLeave={leave}
              onMissing={leaveUnknown}
              onFilterByTag={filterByTag}
            />
          </Suspense>
        </div>
      )}
      {selectedId === null && isSplit && <NothingSelected />}
      {dialog}
      {messageSearch.dialog}
      <Suspense fallback={null}>
        <Toaster />
        <LaterDialogs />
        {isInviteOpen && <InviteDialog onClose={() => setInviteOpen(false)} />}
        {isLibraryOpen && <TagLibrary onClose={() => setLibraryOpen(false)} />}
      </Suspense>
    </main>
  );
}

function NothingSelected() {
  return (
    <div className="flex h-full min-w-0 flex-1 items-center justify-center bg-bg">
      <EmptyState
        icon={<MessagesSquare size={22} strokeWidth={1.75} />}
        title={t('Select a conversation')}
        text={t('Choose a conversation from the list to view messages')}
        action={useShortcutsOn() && <KeyHints />}
      />
    </div>
  );
}

function KeyHints() {
  return (
    <p className="flex flex-wrap justify-center gap-x-4 gap-y-2 text-meta text-fg-3 coarse:hidden">
      <span className="inline-flex items-center gap-1.5">
        <Kbd>J</Kbd>
        <Kbd>K</Kbd> {t('move')}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Kbd>↵</Kbd> {t('open')}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Kbd>/</Kbd> {t('search')}
      </span>
      <span className="inline-flex items-center gap-1.5">
        <Kbd>?</Kbd> {t('all keys')}
      </span>
    </p>
  );
}

/** A tag that is filtered by, as it is called and coloured by now. */
function useCurrentTag(tag: TagFilter | null): TagFilter | null {
  const { data: library } = useQuery({ ...globalTagsOptions, enabled: tag !== null });
  const current = library?.find(({ id }) => id === tag?.tag);
  return useMemo(() => {
    if (tag === null || !current) return tag;
    return { tag: tag.tag, label: current.label, color: current.color };
  }, [tag, current]);
}

/** The conversation that the address names, under the address that fits the width. */
function useOpenConversation(isSplit: boolean): string | null {
  const navigate = useNavigate();
  const { state, search } = useLocation();
  const inInbox = useMatch('/inbox/:id')?.params.id ?? null;
  const alone = useMatch('/messages/:id')?.params.id ?? null;
  const id = inInbox ?? alone;
  const isMisplaced = isSplit ? alone !== null : inInbox !== null;
  useEffect(() => {
    if (id !== null && isMisplaced) {
      const path = isSplit ? inboxPath(id) : messagesPath(id);
      void navigate(path + search, { replace: true, state });
    }
  }, [id, isMisplaced, isSplit, navigate, search, state]);
  return id;
}

/** The window's title tells how much is unread, for the tab that is not looked at. */
function useTitle(): void {
  const { data: stats } = useQuery(inboxStatsOptions);
  const unread = stats?.unread_count ?? 0;
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) Fan Messages` : 'Fan Messages';
    return () => {
      document.title = 'Fan Messages';
    };
  }, [unread]);
}
