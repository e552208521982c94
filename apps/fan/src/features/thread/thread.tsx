import { dayLabel } from '@stagedoor/browser/day-label';
import { markReadSoon } from '@stagedoor/browser/mark-read-soon';
import { formatPrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import { useFocused } from '@stagedoor/browser/use-focused';
import type { ThreadTip } from '@stagedoor/contract/selling/tips';
import { ArrowDown, HandHeart } from 'lucide-react';
import { type KeyboardEvent, memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import { isPassing } from '../../lib/api.ts';
import { clockTime, exactTimeOf } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { useToday } from '../../lib/use-today.ts';
import { classes } from '../../ui/classes.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { type Outbox, withoutStored } from '../composer/state.ts';
import { type MessageHandlers, MessageRow } from './message-row.tsx';
import { firstUnread, isMessageRow, type Part, partsOf, rowsOf } from './rows.ts';
import type { Shown } from './state.ts';
import { useShowMessage } from './use-show-message.ts';
import { useThreadScroll } from './use-thread-scroll.ts';

interface ThreadProps {
  shown: Shown & { readonly tips: readonly ThreadTip[] };
  outbox: Outbox;
  fanId: string;
  creatorName: string;
  handlers: Omit<MessageHandlers, 'onOpenQuote'>;
  actions: {
    loadOlder: () => Promise<boolean>;
    markRead: (upToId: string) => Promise<void>;
  };
  /** Whether the messages are stored data, because the server has not responded yet. */
  isKept: boolean;
  beginning: ReactNode;
}

/** The messages of the conversation, the newest at the bottom. */
export function Thread(props: ThreadProps) {
  const { shown, fanId, creatorName, handlers, actions, isKept, beginning } = props;
  const { loadOlder, markRead } = actions;
  const { messages, hasMore, tips } = shown;
  const unread = useMemo(() => firstUnread(messages, fanId), [messages, fanId]);
  const [unreadFrom, setUnreadFrom] = useState(unread);
  const [wasKept, setWasKept] = useState(isKept);
  const isFocused = useFocused();
  const today = useToday();
  const outbox = useMemo(
    () => withoutStored(props.outbox, messages, fanId),
    [props.outbox, messages, fanId],
  );
  const rows = useMemo(
    () => rowsOf({ messages, tips, hasMore, outbox, fanId, unreadFrom }),
    [messages, tips, hasMore, outbox, fanId, unreadFrom],
  );
  const parts = useMemo(() => partsOf(rows), [rows]);
  const newest = rows.at(-1);
  const newestMessage = rows.findLast(isMessageRow)?.key ?? null;
  const isNewestOwn = newest !== undefined && 'isOwn' in newest && newest.isOwn;

  const { scroller, isAtEnd, scrollToEnd } = useThreadScroll({
    newestKey: newest?.key,
    isNewestOwn,
    oldestKey: messages[0]?.id,
    onNearStart: () => hasMore && void loadOlder(),
  });
  const { highlighted, showMessage } = useShowMessage({
    scroller,
    messages,
    hasMore,
    outbox,
    loadOlder,
  });
  const newestUnread = messages.findLast((each) => each.sender_id !== fanId && !each.read_at);
  useMarkRead({ newestUnreadId: newestUnread?.id ?? null, isAtEnd, markRead });

  // The divider keeps its position until the fan writes. After that, messages that arrive out of view get a new divider.
  if (wasKept && !isKept) {
    setWasKept(false);
    setUnreadFrom(unread);
  } else if (isNewestOwn) {
    if (unreadFrom !== null) setUnreadFrom(null);
  } else if (unreadFrom === null && unread !== null && (!isAtEnd || !isFocused)) {
    setUnreadFrom(unread);
  }

  const waiting = messages.filter((each) => each.sender_id !== fanId && !each.read_at).length;
  const ownNewest = messages.findLast(({ sender_id }) => sender_id === fanId);
  const receiptId = ownNewest?.id ?? null;
  const receipt = ownNewest ? (ownNewest.read_at === null ? t('Sent') : t('Read')) : null;
  const common = useMemo<PartContext>(
    () => ({
      today,
      fanId,
      creatorName,
      receiptId,
      receipt,
      highlighted,
      handlers: { ...handlers, onOpenQuote: showMessage },
    }),
    [today, fanId, creatorName, receiptId, receipt, highlighted, handlers, showMessage],
  );

  return (
    <div className="relative min-h-0 flex-1">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move from message to message */}
      <div ref={scroller} onKeyDown={stepThrough} className="thread h-full">
        <div role="log" aria-label={t('Messages')} aria-live="off" className="mt-auto pb-3">
          {hasMore ? (
            <p role="status" className="flex h-14 items-center justify-center text-fg-3">
              <Spinner />
              <span className="sr-only">{t('Loading earlier messages')}</span>
            </p>
          ) : (
            beginning
          )}
          {parts.map((part, index) => (
            <ThreadPart
              key={part.key}
              part={part}
              // The end is always laid out, because the thread opens there.
              isLazy={index < parts.length - 3}
              newestKey={index >= parts.length - 1 ? newestMessage : null}
              common={common}
            />
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <button
          type="button"
          onClick={() => scrollToEnd('smooth')}
          aria-label={
            waiting > 0
              ? t(
                  '{count, plural, one {# new, go to the newest message} other {# new, go to the newest message}}',
                  { count: waiting },
                )
              : t('Go to the newest message')
          }
          className="absolute end-4 bottom-3 inline-flex h-11 min-w-11 animate-overlay items-center justify-center gap-1.5 rounded-full border border-line bg-surface px-3 text-control font-semibold text-accent-text shadow-float"
        >
          {waiting > 0 && (
            <span>{t('{count, plural, one {# new} other {# new}}', { count: waiting })}</span>
          )}
          <ArrowDown size={20} />
        </button>
      )}
    </div>
  );
}

/** Moves the focus from message to message with the arrow keys. */
function stepThrough(event: KeyboardEvent<HTMLElement>): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.dataset.message === undefined) return;
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-message]')];
  const next = all[all.indexOf(target) + (event.key === 'ArrowUp' ? -1 : 1)];
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

/** The values that every part of the thread passes to its rows. */
interface PartContext {
  /** The start of the current day in milliseconds. */
  today: number;
  fanId: string;
  creatorName: string;
  receiptId: string | null;
  receipt: string | null;
  highlighted: string | null;
  handlers: MessageHandlers;
}

interface ThreadPartProps {
  part: Part;
  isLazy: boolean;
  newestKey: string | null;
  common: PartContext;
}

const ThreadPart = memo(function ThreadPart(props: ThreadPartProps) {
  const { part, isLazy, newestKey, common } = props;
  const { today, fanId, creatorName, receiptId, receipt, highlighted, handlers } = common;
  return (
    <div className={classes(isLazy && 'thread-part')}>
      {part.rows.map((row) => {
        if (row.kind === 'day') return <Divider key={row.key} text={dayLabel(row.at, today)} />;
        if (row.kind === 'tip') return <TipLine key={row.key} tip={row.tip} />;
        if (row.kind === 'unread') return <Divider key={row.key} text={t('Unread')} isUnread />;
        return (
          <MessageRow
            key={row.key}
            row={row}
            fanId={fanId}
            creatorName={creatorName}
            receipt={
              row.message && 'id' in row.message && row.message.id === receiptId ? receipt : null
            }
            isNewest={row.key === newestKey}
            isHighlighted={row.key === highlighted}
            handlers={handlers}
          />
        );
      })}
    </div>
  );
});

function Divider({ text, isUnread = false }: { text: string; isUnread?: boolean }) {
  return (
    <p
      className={classes(
        'flex items-center justify-center gap-3 px-5 pt-5 pb-1 text-meta font-medium',
        isUnread
          ? 'text-accent-text before:h-px before:flex-1 before:bg-current/30 after:h-px after:flex-1 after:bg-current/30'
          : 'text-fg-3',
      )}
    >
      {text}
    </p>
  );
}

function TipLine({ tip: { amount, message, tipped_at } }: { tip: ThreadTip }) {
  // Isolates the amount, because its text direction may differ from the sentence's.
  const cost = <bdi>{formatPrice(amount)}</bdi>;
  return (
    <p
      title={exactTimeOf(tipped_at)}
      className="flex items-start justify-center gap-1.5 px-5 pt-4 pb-1 text-meta text-fg-2"
    >
      <HandHeart
        aria-hidden="true"
        size={14}
        strokeWidth={1.75}
        className="mt-px shrink-0 text-good"
      />
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {message === null
          ? rich('You tipped {amount}', { amount: cost })
          : rich('You tipped {amount} · “{message}”', {
              amount: cost,
              message: <bdi>{message}</bdi>,
            })}
      </span>
      <time dateTime={tipped_at} className="shrink-0 text-fg-3 tabular-nums">
        {clockTime(tipped_at)}
      </time>
    </p>
  );
}

interface MarkReadOptions {
  /** The creator's newest unread message; null if all are read. */
  newestUnreadId: string | null;
  /** Whether the newest message is in view. */
  isAtEnd: boolean;
  markRead: (upToId: string) => Promise<void>;
}

/** Marks the creator's messages as read once the newest one has been in view for a second. */
function useMarkRead({ newestUnreadId, isAtEnd, markRead }: MarkReadOptions): void {
  const isFocused = useFocused();
  useEffect(() => {
    if (!isFocused || !isAtEnd || newestUnreadId === null) return;
    return markReadSoon(() => markRead(newestUnreadId), isPassing);
  }, [isFocused, isAtEnd, newestUnreadId, markRead]);
}
