import { EyeOff, MessageSquareLock, Reply } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';

/** A reply goes to the fan; a note is visible to staff only. */
export type Mode = 'reply' | 'note';

const MODES = [
  { mode: 'reply', label: t('Reply', 'noun'), icon: Reply },
  { mode: 'note', label: t('Note', 'noun'), icon: MessageSquareLock },
] as const;

interface ComposerModeProps {
  mode: Mode;
  onChange: (mode: Mode) => void;
  /** Called after a mode was chosen with the pointer, to move the focus into the mode's field. */
  onChosen: (mode: Mode) => void;
}

/**
 * Switches between a reply and a note. Each has its own color, text, field and button. On a phone, a single button before the
 * field switches to the other mode.
 */
export function ComposerMode({ mode: current, onChange, onChosen }: ComposerModeProps) {
  const name = useId();
  return (
    <>
      <fieldset className="order-1 flex h-[42px] items-center gap-0.5 rounded-card border border-line p-0.5 max-md:grid max-md:h-auto max-md:border-0 max-md:p-0 md:coarse:h-[54px] md:coarse:p-1">
        <legend className="sr-only">{t('Message type')}</legend>
        {MODES.map(({ mode, label, icon: Icon }) => (
          <label
            key={mode}
            className={classes(
              'relative inline-flex h-full cursor-pointer items-center justify-center gap-1.5 rounded-[9px] px-2 coarse:min-w-11 text-meta font-medium text-fg-3 transition-colors duration-80 select-none hover:text-fg',
              'has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
              'max-md:my-0.5 max-md:size-8 max-md:justify-center max-md:[grid-area:1/1] max-md:not-has-checked:z-1 max-md:has-checked:bg-transparent max-md:has-checked:[&>svg]:invisible max-md:coarse:size-11 max-md:coarse:px-0',
              mode === 'note'
                ? 'has-checked:bg-warn has-checked:text-warn-bg'
                : 'has-checked:bg-selected has-checked:text-accent-text',
            )}
          >
            <input
              type="radio"
              name={name}
              value={mode}
              checked={mode === current}
              onChange={() => onChange(mode)}
              // Runs after `onChange`. `detail` is 0 for clicks that a key press caused, which must not move the focus.
              onClick={({ detail }) => {
                if (detail > 0) queueMicrotask(() => onChosen(mode));
              }}
              className="absolute inset-0 m-0 cursor-pointer appearance-none opacity-0"
            />
            <Icon className="size-3.5 max-md:size-[18px]" />
            <span className="max-md:sr-only @max-[560px]:sr-only">{label}</span>
          </label>
        ))}
      </fieldset>
      {current === 'note' && (
        <span className="absolute start-4 bottom-full mb-[9px] flex h-4 items-center gap-1.5 rounded-chip bg-bg/90 text-meta font-medium text-warn max-md:mb-[5px]">
          <EyeOff size={13} />
          {t('Only staff can see this')}
        </span>
      )}
    </>
  );
}
