import { lazyPart } from '@stagedoor/browser/lazy-part';
import { rich } from '@stagedoor/browser/rich-text';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import type { Message } from '@stagedoor/contract/messaging/messages';
import { NotebookPen } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { NOTES_TAB, NotesPanel, type SideTab } from '../../fans/notes/notes-panel.tsx';
import { isDocked, usePanelWidth } from '../../fans/notes/panel-width.ts';
import { STATEMENT_FORM } from '../../fans/statements/form-name.ts';
import type { PinnedMessage } from '../../fans/statements/statements-tab.tsx';
import { SubscriptionNote } from '../../fans/subscriptions/subscription-note.tsx';
import { useCommands } from '../../lib/commands.ts';
import { leave } from '../../lib/leave-guard.ts';
import { DESKTOP_QUERY, useIsSplit, useMediaQuery, WIDE_QUERY } from '../../lib/media-query.ts';
import { displayName } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { fanZoneOf } from '../../lib/text/zoned-time.ts';
import { FanClock } from '../../messaging/conversation/fan-clock.tsx';
import { Button } from '../../ui/button.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';

const STORED_CLOSED = 'stagedoor_notes_closed';

const wasClosed = () => localStorage.getItem(STORED_CLOSED) === 'true';

interface Pinned extends PinnedMessage {
  conversationId: string;
}

interface NotesOptions {
  conversationId: string;
  /** Undefined until loaded. */
  conversation: Conversation | undefined;
  container: RefObject<HTMLElement | null>;
  showMessage: (messageId: string) => void;
}

/** The side panel with a fan's profile notes, facts and statements, and its controls. */
interface Notes {
  button: ReactNode;
  panel: ReactNode;
  isAlone: boolean;
  isBelow: boolean;
  /** Opens the facts about the fan. @param opener gets the focus back */
  openFan: (opener: HTMLElement) => void;
  pin: (message: Pick<Message, 'id' | 'content'>) => void;
}

export function useNotes(options: NotesOptions): Notes {
  const { conversationId, conversation, container, showMessage } = options;
  const isSplit = useIsSplit();
  const button = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLElement>(null);
  const [openedFor, setOpenedFor] = useState<string | null>(null);
  const isWide = useMediaQuery(WIDE_QUERY);
  const isDesktop = useMediaQuery(DESKTOP_QUERY);
  const [isClosed, setClosed] = useState(wasClosed);
  const [tab, setTab] = useState<string>(isWide && !isClosed ? FAN_TAB : NOTES_TAB);
  const [focusRequest, setFocusRequest] = useState(0);
  const [pinned, setPinned] = useState<Pinned | null>(null);
  const width = usePanelWidth();
  const available = useWidth(container);
  const canDock = isSplit && isDocked(available, width);
  // A docked panel stays open for the next fan. A panel over the thread closes, because it would hide the chosen fan.
  const isOpen =
    openedFor === null ? isWide && canDock && !isClosed : openedFor === conversationId || canDock;

  const show = useCallback(
    (id: string | null) => {
      setOpenedFor(id);
      // On a wide screen the panel is open until it is closed once.
      if (!isWide) return;
      setClosed(id === null);
      localStorage.setItem(STORED_CLOSED, String(id === null));
    },
    [isWide],
  );
  const open = (wanted: string, by: HTMLElement | null) => {
    opener.current = by;
    setTab(wanted);
    show(conversationId);
    setFocusRequest((last) => last + 1);
  };
  // A stable callback, because a new one would re-render every row of the thread.
  const pin = useCallback(
    ({ id, content }: Pick<Message, 'id' | 'content'>) =>
      leave(() => {
        opener.current = null;
        setPinned((last) => ({
          conversationId,
          messageId: id,
          text: content,
          request: (last?.request ?? 0) + 1,
        }));
        setTab(STATEMENTS_TAB);
        show(conversationId);
      }, STATEMENT_FORM),
    [conversationId, show],
  );
  const close = () => {
    show(null);
    // If the panel was opened for a previous fan, its opener no longer exists.
    const target = opener.current?.isConnected ? opener.current : button.current;
    requestAnimationFrame(() => target?.focus());
  };
  const showsNotes = isOpen && tab === NOTES_TAB;
  const toggle = () => {
    if (showsNotes) leave(close, 'panel');
    else open(NOTES_TAB, button.current);
  };
  useCommands([
    {
      id: 'notes',
      title: showsNotes ? t('Close Notes') : t('Open Notes'),
      section: t('Conversation'),
      keys: ['n'],
      run: toggle,
    },
    {
      id: 'fan-facts',
      title: t('Show Fan Details'),
      section: t('Conversation'),
      run: () => open(FAN_TAB, button.current),
    },
    {
      id: 'creator-said',
      title: t('Show Statements'),
      section: t('Conversation'),
      run: () => open(STATEMENTS_TAB, button.current),
    },
  ]);
  const showFrom = (messageId: string) => {
    // Without the split view the panel covers the thread, so it must close first.
    if (isSplit) showMessage(messageId);
    else
      leave(() => {
        setOpenedFor(null);
        showMessage(messageId);
      }, 'panel');
  };
  const beside = isDesktop ? 'over' : 'sheet';
  const place = !isSplit ? 'full' : canDock ? 'docked' : beside;
  const panel = isOpen && conversation && (
    <NotesPanel
      key={conversationId}
      conversationId={conversationId}
      fanName={displayName(conversation.fan)}
      place={place}
      tab={tab}
      onTab={setTab}
      others={[
        fanTab(conversation, showFrom),
        statementsTab(
          conversation,
          pinned?.conversationId === conversationId ? pinned : null,
          showFrom,
        ),
      ]}
      focusRequest={openedFor === conversationId ? focusRequest : 0}
      onClose={close}
    />
  );
  return {
    button: (
      <Button
        ref={button}
        variant="ghost"
        aria-expanded={showsNotes}
        aria-keyshortcuts="N"
        onClick={toggle}
        className="px-2! aria-expanded:bg-hover aria-expanded:text-fg"
        icon={<NotebookPen className="md:@max-[600px]:hidden" />}
      >
        <span className="max-md:sr-only">{t('Notes')}</span>
      </Button>
    ),
    panel,
    isAlone: isOpen && !isSplit,
    isBelow: isOpen && place === 'sheet',
    openFan: (by) => open(FAN_TAB, by),
    pin,
  };
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

const StatementsTab = lazyPart(
  async () => (await import('../../fans/statements/statements-tab.tsx')).StatementsTab,
);
const FanTab = lazyPart(async () => (await import('./fan-tab.tsx')).FanTab);

const FAN_TAB = t('Fan');
const STATEMENTS_TAB = t('Statements');

/** Creates the tab with the facts about a fan. @param onShowMessage shows a message of the thread */
function fanTab(conversation: Conversation, onShowMessage: (messageId: string) => void): SideTab {
  const { fan } = conversation;
  return {
    name: FAN_TAB,
    title: (
      <span className="font-normal text-fg-3">
        {rich('About {name}', {
          name: <span className="font-semibold text-fg">{displayName(fan)}</span>,
        })}
      </span>
    ),
    content: waiting(
      <FanTab
        conversation={conversation}
        standing={
          fan.subscription && (
            <span className="@container flex min-h-5 items-center">
              <SubscriptionNote subscription={fan.subscription} />
            </span>
          )
        }
        clock={fan.timezone && <FanClock timeZone={fan.timezone} isBrief={false} />}
        onShowMessage={onShowMessage}
      />,
    ),
  };
}

/** Creates the tab with the statements and promises made to the fan. @param pinned a message to save as a statement */
function statementsTab(
  { id, fan }: Conversation,
  pinned: PinnedMessage | null,
  onShowMessage: (messageId: string) => void,
): SideTab {
  return {
    name: STATEMENTS_TAB,
    title: (
      <span className="font-normal text-fg-3">
        {rich('Statements to {name}', {
          name: <span className="font-semibold text-fg">{displayName(fan)}</span>,
        })}
      </span>
    ),
    content: waiting(
      <StatementsTab
        conversationId={id}
        fan={fanZoneOf(fan.timezone, displayName(fan))}
        pinned={pinned}
        onShowMessage={onShowMessage}
      />,
    ),
  };
}

const waiting = (content: ReactNode) => (
  <Suspense fallback={<CenteredSpinner text={t('Loading...')} />}>{content}</Suspense>
);
