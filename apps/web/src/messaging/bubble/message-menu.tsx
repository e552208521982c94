import { REACTION_EMOJI, type ReactionEmoji } from '@stagedoor/contract/messaging/messages';
import { X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { keepPlaced, type Placement } from '../../ui/overlay/place-overlay.ts';
import type { MessageAction } from './message-actions.ts';

const COLUMNS = 7;
const PLACEMENT: Placement = { side: 'above', align: 'center', gap: 6 };

interface MessageMenuProps {
  anchor: HTMLElement;
  /** The viewer's own reaction, or null. */
  mine: ReactionEmoji | null;
  canReact: boolean;
  onReact: (emoji: ReactionEmoji) => void;
  /** Empty if buttons beside the message offer the actions. */
  actions: readonly MessageAction[];
  onClose: () => void;
}

/** The reaction picker; on touch devices also the other message actions. */
export function MessageMenu(props: MessageMenuProps) {
  const { anchor, mine, canReact, onReact, actions, onClose } = props;
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = panel.current;
    if (!element) return;
    element.showPopover();
    const stop = keepPlaced(element, anchor, PLACEMENT);
    const first =
      element.querySelector<HTMLElement>('[aria-pressed="true"]') ??
      element.querySelector<HTMLElement>('button');
    first?.focus({ preventScroll: true });
    return stop;
  }, [anchor]);
  // The menu handles dismissal itself: lifting the finger after the long press would close a native popover.
  const dismissed = useEffectEvent(onClose);
  useEffect(() => {
    const dismiss = ({ target }: Event) => {
      const isInside = target instanceof Node && panel.current?.contains(target);
      // A click on the button that opened the menu already closes it.
      if (!isInside && !(target instanceof Node && anchor.contains(target))) dismissed();
    };
    document.addEventListener('pointerdown', dismiss, true);
    window.addEventListener('resize', dismiss);
    return () => {
      document.removeEventListener('pointerdown', dismiss, true);
      window.removeEventListener('resize', dismiss);
    };
  }, [anchor]);
  const close = () => {
    anchor.focus({ preventScroll: true });
    onClose();
  };
  const choose = (act: () => void) => () => {
    close();
    act();
  };
  return (
    <div
      ref={panel}
      popover="manual"
      role="dialog"
      aria-label={actions.length > 0 ? t('Message Actions') : t('Add Reaction')}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) onClose();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        close();
      }}
      className="fixed right-auto m-0 animate-overlay overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-1.5 text-fg shadow-overlay"
    >
      {canReact && <EmojiGrid mine={mine} onChoose={(emoji) => choose(() => onReact(emoji))()} />}
      {canReact && mine && (
        <MenuButton icon={X} label={t('Remove Reaction')} onClick={choose(() => onReact(mine))} />
      )}
      {actions.map(({ label, icon, run }) => (
        <MenuButton key={label} icon={icon} label={label} onClick={choose(run)} />
      ))}
    </div>
  );
}

function MenuButton({
  icon: Icon,
  label,
  onClick,
}: {
  icon: typeof X;
  label: string;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="mt-1 flex h-8 w-full items-center gap-2 rounded-control px-2 text-control text-fg-2 hover:bg-hover hover:text-fg coarse:h-11"
    >
      <Icon />
      {label}
    </button>
  );
}

const FORWARD = document.dir === 'rtl' ? -1 : 1;

const STEPS: Record<string, (index: number) => number> = {
  ArrowRight: (index) => index + FORWARD,
  ArrowLeft: (index) => index - FORWARD,
  ArrowDown: (index) => index + COLUMNS,
  ArrowUp: (index) => index - COLUMNS,
  Home: () => 0,
  End: () => REACTION_EMOJI.length - 1,
};

interface EmojiGridProps {
  mine: ReactionEmoji | null;
  onChoose: (emoji: ReactionEmoji) => void;
}

/** Two rows of seven emoji. Arrow keys move between them; the grid is one tab stop. */
function EmojiGrid({ mine, onChoose }: EmojiGridProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    const step = STEPS[event.key];
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    if (!step || index === -1) return;
    event.preventDefault();
    const next = buttons[step(index)];
    for (const button of buttons) button.tabIndex = button === (next ?? buttons[index]) ? 0 : -1;
    next?.focus();
  };
  const first = mine ?? REACTION_EMOJI[0];
  return (
    <fieldset
      aria-label={t('Reactions')}
      onKeyDown={onKeyDown}
      className="grid grid-cols-7 gap-0.5"
    >
      {REACTION_EMOJI.map((emoji) => (
        <button
          key={emoji}
          type="button"
          tabIndex={emoji === first ? 0 : -1}
          aria-pressed={emoji === mine}
          onClick={() => onChoose(emoji)}
          className={classes(
            'flex size-9 items-center justify-center rounded-control text-[20px] leading-none transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:size-11',
            emoji === mine && 'bg-selected ring-1 ring-accent ring-inset',
          )}
        >
          {emoji}
        </button>
      ))}
    </fieldset>
  );
}
