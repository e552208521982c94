import {
  type FanVisibleMessage,
  REACTION_EMOJI,
  type ReactionEmoji,
} from '@stagedoor/contract/messaging/messages';
import { Copy, Reply } from 'lucide-react';
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { t } from '../../lib/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { shownText } from './message-text.ts';

interface MessageMenuProps {
  message: FanVisibleMessage;
  anchor: HTMLElement;
  fanId: string;
  onReact: (emoji: ReactionEmoji) => void;
  onReply: () => void;
  onClose: () => void;
}

const COLUMNS = 7;
/** The menu's width, and its minimum distance from the window's edges. CSS pixels. */
const WIDTH = 332;
const MARGIN = 12;

export function MessageMenu(props: MessageMenuProps) {
  const { message, anchor, fanId, onReact, onReply, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const text = shownText(message.content);
  const own = message.reactions.find(({ user_id }) => user_id === fanId)?.emoji;

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const opener = document.activeElement;
    element.showModal();
    const box = anchor.getBoundingClientRect();
    const { offsetHeight: height, offsetWidth: width } = element;
    const isAtRight = (message.sender_id === fanId) !== (document.dir === 'rtl');
    const left = isAtRight ? box.right - width : box.left;
    const above = box.top - height - 8;
    const top = above >= MARGIN ? above : box.bottom + 8;
    const clamp = (value: number, max: number) => Math.max(MARGIN, Math.min(value, max));
    // The browser sets `right` for modal dialogs, and on right-to-left pages `right` takes precedence over `left`.
    element.style.right = 'auto';
    element.style.left = `${clamp(left, window.innerWidth - width - MARGIN)}px`;
    element.style.top = `${clamp(top, window.innerHeight - height - MARGIN)}px`;
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, [anchor, message.sender_id, fanId]);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const forward = document.dir === 'rtl' ? -1 : 1;
    const steps = {
      ArrowLeft: -forward,
      ArrowRight: forward,
      ArrowUp: -COLUMNS,
      ArrowDown: COLUMNS,
    };
    const step = (steps as Record<string, number | undefined>)[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...(dialog.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[Math.max(0, Math.min(buttons.length - 1, at + step))]?.focus();
  };
  const item =
    'flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-start text-control font-medium hover:bg-surface-2';
  return (
    <dialog
      ref={dialog}
      aria-label={t('Message')}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      style={{ width: WIDTH }}
      className="fixed m-0 max-w-[calc(100vw-24px)] animate-overlay overflow-visible rounded-dialog border border-line bg-surface p-0 text-fg shadow-overlay backdrop:bg-[#0d0c1059]"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a border and a legend */}
      <div role="group" aria-label={t('React')} className="grid grid-cols-7 p-2">
        {REACTION_EMOJI.map((emoji) => (
          <button
            key={emoji}
            type="button"
            aria-pressed={emoji === own}
            aria-label={emoji}
            onClick={() => onReact(emoji)}
            className={classes(
              'flex h-11 items-center justify-center rounded-control text-display transition-transform duration-100 hover:bg-surface-2 fine:hover:scale-115',
              emoji === own && 'bg-accent-bg ring-2 ring-accent',
            )}
          >
            <span aria-hidden="true">{emoji}</span>
          </button>
        ))}
      </div>
      <div className="border-t border-line p-2">
        <button type="button" className={item} onClick={onReply}>
          <Reply size={18} strokeWidth={1.75} className="rtl:-scale-x-100" />
          {t('Reply')}
        </button>
        {text !== '' && (
          <button
            type="button"
            className={item}
            onClick={() => {
              void navigator.clipboard?.writeText(text).catch(() => undefined);
              onClose();
            }}
          >
            <Copy size={18} strokeWidth={1.75} />
            {t('Copy text')}
          </button>
        )}
      </div>
    </dialog>
  );
}
