import { lazyExtra, lazyPart } from '@stagedoor/browser/lazy-part';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { TagFilter } from '../../fans/tags/queries.ts';
import { InboxStateProvider, useChangeInbox } from '../../inbox/list/inbox-state.tsx';
import { inboxStatsOptions } from '../../inbox/list/queries.ts';
import { useCommands } from '../../lib/commands.ts';
import { afterFirstPaint } from '../../lib/lazy-loads.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { useCached } from '../../lib/server/use-cached.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { InboxPanel } from './inbox-panel.tsx';
import { MessageSearch } from './message-search.tsx';
import { NothingSelected } from './nothing-selected.tsx';
import { InboxTools, useInboxTools, useLoadedTools } from './use-inbox-tools.ts';
import { useFittingPath, useOpenId } from './use-open-conversation.ts';

const loadScreen = () => import('./conversation-screen.tsx');
const ConversationScreen = lazyPart(async () => (await loadScreen()).ConversationScreen);
const ConversationKeys = lazyExtra(async () => (await loadScreen()).ConversationKeys);
const KeptNote = lazyExtra(async () => (await import('./kept-note.tsx')).KeptNote);

/** How long after the first rows the conversation and the console are preloaded. Milliseconds. */
const SCREEN_PRELOAD_MS = 500;

/** The inbox and the open conversation: side by side if there is room, otherwise one at a time. */
export function InboxPage() {
  const tools = useLoadedTools();
  return (
    <InboxTools value={tools}>
      <InboxStateProvider>
        <Inbox />
        <MessageSearch />
      </InboxStateProvider>
    </InboxTools>
  );
}

/** Preloads the code of the conversation and the console soon after the first rows. */
function usePreload(managesAdmins: boolean): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    void afterFirstPaint(async () => {
      if (isOver) return;
      timer = setTimeout(() => {
        void loadScreen();
        if (managesAdmins) {
          void import('../pages.tsx');
          void import('../console-page.tsx');
        }
      }, SCREEN_PRELOAD_MS);
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [managesAdmins]);
}

function Inbox() {
  const { permissions } = useAdmin();
  const navigate = useNavigate();
  const isSplit = useIsSplit();
  const selectedId = useOpenId();
  const isKept = useCached<boolean>(['kept']);
  const tools = useInboxTools();
  const change = useChangeInbox();
  useTitle();
  useFittingPath();
  usePreload(permissions.can_manage_admins);

  const leave = () => void navigate('/inbox');
  // The conversation that is open now: an action may finish after another conversation or page was opened.
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
  const filterByTag = (tag: TagFilter) => {
    change({ tag });
    if (!isSplit) leave();
  };
  const isListHidden = !isSplit && selectedId !== null;
  return (
    <main className="flex h-full md:[--toasts-start:clamp(320px,35vw,480px)]">
      {isListHidden && <h1 className="sr-only">{t('Fan Messages')}</h1>}
      <div
        className={classes(
          'relative h-full w-full md:w-[clamp(320px,35%,480px)] md:shrink-0 md:border-e md:border-line',
          isListHidden && 'hidden',
        )}
      >
        <InboxPanel />
        {tools && !isKept && (
          <tools.ConnectionBar isInList isBeside={isSplit && selectedId !== null} />
        )}
        {isKept && <KeptNote />}
      </div>
      {selectedId !== null && (
        <div className="h-full min-w-0 flex-1 bg-bg">
          <Suspense fallback={<ScreenWaiting canWrite={permissions.can_manage_messages} />}>
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
        <div className="h-full min-w-0 flex-1 bg-bg">
          <NothingSelected />
        </div>
      )}
      {tools && <tools.Toaster />}
      {(tools || selectedId !== null) && (
        <ConversationKeys openId={selectedId} onLeave={leaveIfOpen} />
      )}
      {tools && <tools.LazyDialogs />}
    </main>
  );
}

/** Shown while the conversation's code loads. Presses of its shortcuts are queued until then. */
function ScreenWaiting({ canWrite }: { canWrite: boolean }) {
  const command = { title: '', section: '', run: () => undefined, enabled: false };
  useCommands([
    { ...command, id: 'notes', keys: ['n'], isComing: true },
    { ...command, id: 'snooze', keys: ['s'], isComing: canWrite },
  ]);
  return <CenteredSpinner text={t('Loading conversation...')} />;
}

/** Shows the number of unread messages in the window's title, for background tabs. */
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
