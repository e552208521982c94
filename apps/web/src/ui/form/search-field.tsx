import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useRef } from 'react';
import { isComposing } from '../../lib/keyboard.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../classes.ts';
import { IconButton } from '../icon-button.tsx';

/** The maximum length of a search text, in characters. */
const MAX_CHARS = 200;

interface SearchFieldProps {
  /** Lets other components focus the field. */
  ref?: RefObject<HTMLInputElement | null>;
  label: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
  /** The key that focuses the field. */
  shortcut?: string;
  /** Moves the focus to the results. Called on arrow down, and on Escape in an empty field. */
  onLeave?: () => void;
  /** Takes the first result. Called on Enter if there is a text. */
  onEnter?: () => void;
  className?: string;
}

/**
 * A search field. Escape clears it or, if it is already empty, leaves it for the results. In a dialog Escape closes the dialog.
 */
export function SearchField(props: SearchFieldProps) {
  const { label, placeholder, text, onChange, shortcut, onLeave, onEnter, className } = props;
  const own = useRef<HTMLInputElement>(null);
  const field = props.ref ?? own;
  const clear = () => {
    onChange('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'ArrowDown' && onLeave) {
      event.preventDefault();
      onLeave();
    } else if (event.key === 'Enter' && onEnter) {
      event.preventDefault();
      if (text.trim() !== '') onEnter();
    } else if (event.key === 'Escape' && !field.current?.closest('dialog')) {
      event.preventDefault();
      if (text !== '') clear();
      else if (onLeave) onLeave();
      else field.current?.blur();
    }
  };
  return (
    <search className={classes('relative block', className)}>
      <Search className="pointer-events-none absolute top-1/2 start-2.5 -translate-y-1/2 text-fg-3" />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_CHARS}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="peer h-8 w-full rounded-control border border-control bg-surface pe-9 ps-8 text-control text-ellipsis coarse:placeholder-shown:pe-2 focus-visible:outline-offset-0 coarse:h-11"
      />
      {text === '' && shortcut !== undefined && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 end-2 -translate-y-1/2 rounded-[4px] border border-line px-1.5 font-sans text-badge text-fg-3 peer-focus:hidden coarse:hidden"
        >
          {shortcut}
        </span>
      )}
      {text !== '' && (
        <IconButton
          label={t('Clear Search')}
          onClick={clear}
          className="absolute! top-1/2 end-0.5 size-7 -translate-y-1/2"
          icon={<X />}
        />
      )}
    </search>
  );
}
