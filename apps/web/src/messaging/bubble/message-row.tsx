import type { Reaction, ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import { SmilePlus } from 'lucide-react';
import { memo, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { classes } from '../../ui/classes.ts';
import { Dot } from '../../ui/dot.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { unsentText } from '../messages/message-text.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import {
  isOutgoingRow,
  isSameRow,
  type MessageRow as MessageRowData,
} from '../messages/thread-rows.ts';
import { actionsOf, type MessageAction } from './message-actions.ts';
import { MessageBubble } from './message-bubble.tsx';
import type { MessageHandlers } from './message-handlers.ts';

interface MessageRowProps {
  row: MessageRowData;
  isHighlighted: boolean;
  /** Keeps the button that opened the menu visible while the menu is open, so that focus can return to it. */
  isMenuOpen: boolean;
  /** Whether this is the message that Tab reaches. */
  isTabStop: boolean;
  handlers: MessageHandlers;
}

function nameOf(row: MessageRowData, fanName: string, myId: string): string {
  if (row.kind === 'message' && row.message.unsent !== null) {
    const { unsent, created_at: at } = row.message;
    return t('{name}, {time}', { name: unsentText(unsent, myId), time: clockTime(at) });
  }
  const name = row.kind === 'message' && row.message.author === null ? fanName : t('Creator');
  if (row.kind === 'message')
    return t('{name}, {time}', { name, time: clockTime(row.message.created_at) });
  return row.message.status === 'failed'
    ? t('{name}, not sent', { name })
    : t('{name}, sending', { name });
}

/** One message with its reactions and actions. */
export const MessageRow = memo(Row, showsSame);

function showsSame(before: MessageRowProps, after: MessageRowProps): boolean {
  return (Object.keys(after) as (keyof MessageRowProps)[]).every((name) =>
    name === 'row' ? isSameRow(before.row, after.row) : before[name] === after[name],
  );
}

function Row({ row, isHighlighted, isMenuOpen, isTabStop, handlers }: MessageRowProps) {
  const { fanName } = useOpenConversation();
  const admin = useAdmin();
  const { id: myId } = admin;
  const canWrite = admin.permissions.can_manage_messages;
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const unsent = row.kind === 'message' ? row.message.unsent : null;
  const stored = row.kind === 'message' && unsent === null ? row.message : null;
  const author = stored?.author ?? null;
  const isOutgoing = isOutgoingRow(row);
  const openMenu = (element: HTMLElement) => {
    // An empty menu would still capture the keyboard.
    if (stored && (canWrite || actionsOf(stored, admin, handlers).length > 0))
      handlers.onOpenMenu(stored, element, 'all');
  };
  const longPress = useLongPress(openMenu);
  const isByOther = author !== null && author.id !== myId;
  return (
    <article
      data-row={row.key}
      aria-label={nameOf(row, fanName, myId)}
      tabIndex={isTabStop ? 0 : -1}
      {...longPress}
      onContextMenu={(event) => {
        // On touch devices a long press opens our menu, not the browser's.
        if (window.matchMedia('(pointer: coarse)').matches) event.preventDefault();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
        event.preventDefault();
        openMenu(event.currentTarget);
      }}
      onPointerEnter={(event) => setHovered(event.pointerType === 'mouse')}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
      className={classes(
        'group/message flex px-4 max-md:px-3',
        row.startsGroup ? 'pt-3 compact:pt-2' : 'pt-0.5 compact:pt-px',
        isOutgoing ? 'justify-end' : 'justify-start',
        'focus-visible:outline-none',
      )}
    >
      <div className="relative w-fit max-w-[min(78%,560px)] min-w-0">
        {row.startsGroup && isByOther && (
          <p className="mb-0.5 flex items-center justify-end gap-1.5 pe-1 text-badge text-fg-3">
            <Dot color={author.display_color} />
            {author.codename}
          </p>
        )}
        <div className="relative">
          <div
            className={classes(
              'rounded-bubble outline-offset-2 group-focus-visible/message:outline-2 group-focus-visible/message:outline-accent-text',
              'transition-shadow duration-180',
              isHighlighted && 'ring-3 ring-accent/55',
            )}
          >
            {unsent === null ? (
              <MessageBubble row={row} handlers={handlers} />
            ) : (
              <p className="rounded-bubble border border-control border-dashed px-3 py-[7px] text-control text-fg-2 compact:py-1">
                {unsentText(unsent, myId)}{' '}
                <time dateTime={unsent.at} title={exactTimeOf(unsent.at)} className="text-badge">
                  {clockTime(unsent.at)}
                </time>
              </p>
            )}
          </div>
          {stored && (isHovered || isFocused || isMenuOpen) && (
            <MessageActions
              isOutgoing={isOutgoing}
              canReact={canWrite}
              onReact={(anchor) => handlers.onOpenMenu(stored, anchor, 'reactions')}
              actions={actionsOf(stored, admin, handlers)}
            />
          )}
        </div>
        {stored && stored.reactions.length > 0 && (
          <div className={classes('flex', isOutgoing ? 'justify-end' : 'justify-start')}>
            <Reactions
              reactions={stored.reactions}
              myId={myId}
              disabled={!canWrite}
              onReact={(emoji) => handlers.onReact(stored, emoji)}
            />
          </div>
        )}
      </div>
    </article>
  );
}

interface MessageActionsProps {
  isOutgoing: boolean;
  canReact: boolean;
  onReact: (anchor: HTMLElement) => void;
  actions: readonly MessageAction[];
}

function MessageActions({ isOutgoing, canReact, onReact, actions }: MessageActionsProps) {
  const button = 'size-7! rounded-chip';
  return (
    <div
      className={classes(
        'absolute flex coarse:hidden rounded-control border border-line bg-surface p-px',
        // A narrow window has no room beside the bubble.
        'max-lg:top-0 max-lg:-translate-y-3/4 lg:top-1/2 lg:-translate-y-1/2',
        isOutgoing
          ? 'max-lg:end-0 lg:end-full lg:me-1.5'
          : 'max-lg:start-0 lg:start-full lg:ms-1.5',
      )}
    >
      {canReact && (
        <IconButton
          label={t('React')}
          className={button}
          aria-haspopup="dialog"
          onClick={(event) => onReact(event.currentTarget)}
          icon={<SmilePlus />}
        />
      )}
      {actions.map(({ label, icon: Icon, run }) => (
        <IconButton key={label} label={label} className={button} onClick={run} icon={<Icon />} />
      ))}
    </div>
  );
}

interface ReactionsProps {
  reactions: readonly Reaction[];
  myId: string;
  onReact: (emoji: ReactionEmoji) => void;
  disabled: boolean;
}

/** The reactions to a message with their counts. Clicking a reaction toggles the viewer's own reaction. */
function Reactions({ reactions, myId, onReact, disabled }: ReactionsProps) {
  const users = new Map<ReactionEmoji, string[]>();
  for (const { emoji, user_id } of reactions)
    users.set(emoji, [...(users.get(emoji) ?? []), user_id]);
  return (
    <div className="-mt-1.5 flex flex-wrap gap-1 px-2">
      {[...users].map(([emoji, ids]) => {
        const isMine = ids.includes(myId);
        return (
          <button
            key={emoji}
            type="button"
            aria-pressed={isMine}
            aria-label={
              isMine
                ? t('{emoji} {count}, including yours', { emoji, count: ids.length })
                : `${emoji} ${ids.length}`
            }
            disabled={disabled}
            onClick={() => onReact(emoji)}
            className={classes(
              'touch-target z-1 inline-flex h-6 items-center gap-1 rounded-full border px-1.5 text-meta tabular-nums transition-colors duration-80 disabled:opacity-100',
              isMine
                ? 'border-accent bg-selected text-accent-text'
                : 'border-control bg-surface text-fg-2 hover:bg-hover',
            )}
          >
            <span aria-hidden="true" className="text-control leading-none">
              {emoji}
            </span>
            {ids.length > 1 && ids.length}
          </button>
        );
      })}
    </div>
  );
}

const LONG_PRESS_MS = 450;
/** Finger movement above this is scrolling, not a press. */
const SLOP_PX = 10;

/** Returns the handlers that detect a long press. Spread them over the element's props. */
function useLongPress(onLongPress: (element: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const cancel = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType === 'mouse' || !event.isPrimary) return;
      const element = event.currentTarget;
      start.current = { x: event.clientX, y: event.clientY };
      timer.current = setTimeout(() => onLongPress(element), LONG_PRESS_MS);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const { x, y } = start.current;
      if (Math.hypot(event.clientX - x, event.clientY - y) > SLOP_PX) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
  };
}
