import { ArrowDown } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';

interface EndButtonProps {
  /** The text next to the arrow; empty for the arrow alone. */
  text: string;
  /** The accessible name if the text alone is not clear. */
  label?: string;
  /** Whether the button is highlighted. */
  isMarked: boolean;
  onPress: () => void;
}

/** The button in the thread's lower corner that scrolls to the newest message. */
export function EndButton({ text, label, isMarked, onPress }: EndButtonProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      aria-label={label}
      className={classes(
        'touch-target absolute end-4 bottom-3 md:bottom-5 z-1 flex h-9 items-center justify-center gap-1.5 rounded-full border text-control font-medium shadow-overlay transition-colors duration-80',
        isMarked
          ? 'border-transparent bg-accent px-3.5 text-white hover:bg-accent-hover'
          : 'w-9 border-line bg-surface text-fg-2 hover:bg-hover hover:text-fg',
      )}
    >
      <ArrowDown />
      {text !== '' && <span className="tabular-nums">{text}</span>}
    </button>
  );
}

interface NewestButtonProps {
  /** The number of messages that arrived since the end was last visible. */
  newCount: number;
  onPress: () => void;
}

/** The button that scrolls to the newest message and shows how many messages have arrived since the end was last visible. */
export function NewestButton({ newCount, onPress }: NewestButtonProps) {
  return (
    <EndButton
      text={
        newCount > 0 ? t('{count, plural, one {# new} other {# new}}', { count: newCount }) : ''
      }
      label={
        newCount > 0
          ? t(
              '{count, plural, one {# new, scroll to the newest message} other {# new, scroll to the newest message}}',
              { count: newCount },
            )
          : t('Scroll to the newest message')
      }
      isMarked={newCount > 0}
      onPress={onPress}
    />
  );
}
