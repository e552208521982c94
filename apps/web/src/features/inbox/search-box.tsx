import { Search, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { isComposing } from '../../lib/keyboard.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface SearchBoxProps {
  ref: RefObject<HTMLInputElement | null>;
  text: string;
  onChange: (text: string) => void;
  /** Into the list, by arrow down. */
  onLeave: () => void;
}

/** The field in which conversations are searched. Escape empties it, and leaves it when it is empty. */
export function SearchBox({ ref, text, onChange, onLeave }: SearchBoxProps) {
  const clear = () => {
    onChange('');
    ref.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onLeave();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (text === '') ref.current?.blur();
      else clear();
    }
  };
  return (
    <search className="relative block">
      <Search
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-fg-3"
      />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label="Search conversations"
        aria-keyshortcuts="/"
        placeholder="Search by name or message..."
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="peer h-8 w-full rounded-control border border-control bg-surface pr-9 pl-8 text-control focus-visible:outline-offset-0 coarse:h-11"
      />
      {text === '' ? (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-[4px] border border-line px-1.5 font-sans text-badge text-fg-3 peer-focus:hidden coarse:hidden"
        >
          /
        </span>
      ) : (
        <IconButton
          label="Clear search"
          onClick={clear}
          className="absolute! top-1/2 right-0.5 size-7 -translate-y-1/2"
        >
          <X aria-hidden="true" size={16} strokeWidth={1.75} />
        </IconButton>
      )}
    </search>
  );
}
