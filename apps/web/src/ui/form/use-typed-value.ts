import { useEffect, useLayoutEffect, useRef, useState } from 'react';

interface TypedValueOptions {
  /** The field's current value; empty for none. */
  value: string;
  onChange: (value: string) => void;
  show: (value: string) => string;
  /** Parses a text; null if it is not a value. */
  read: (text: string) => string | null;
}

/**
 * Manages a text field whose value is parsed from its text. A text typed in the full format changes the value at once; any other
 * text is parsed when the field is left or Enter is pressed. A text that can't be parsed stays: the value is then empty, and the
 * field is invalid for its form.
 */
export function useTypedValue({ value, onChange, show, read }: TypedValueOptions) {
  const [text, setText] = useState(() => show(value));
  const [isWrong, setWrong] = useState(false);
  const [seen, setSeen] = useState(value);
  /** The value that `text` stands for. */
  const [held, setHeld] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.setCustomValidity(isWrong ? text : ''), [isWrong, text]);
  /** The number of times that a new value from outside replaced the text. */
  const [replaced, setReplaced] = useState(0);
  // Selects the new text, as the browser does when a field gets the focus, so that typing overwrites it.
  useLayoutEffect(() => {
    if (replaced > 0 && field.current === document.activeElement) field.current?.select();
  }, [replaced]);
  const put = (next: string) => {
    setHeld(next);
    if (next !== value) onChange(next);
  };
  if (value !== seen) {
    setSeen(value);
    if (value !== held) {
      setHeld(value);
      setText(show(value));
      setWrong(false);
      setReplaced(replaced + 1);
    }
  }
  return {
    field,
    text,
    isWrong,
    type(typed: string) {
      setText(typed);
      setWrong(false);
      const meant = typed.trim() === '' ? '' : read(typed);
      if (meant !== null && (meant === '' || show(meant) === typed)) put(meant);
    },
    finish() {
      if (text.trim() === '') return;
      const meant = read(text);
      setWrong(meant === null);
      if (meant !== null) setText(show(meant));
      put(meant ?? '');
    },
    choose(chosen: string) {
      setText(show(chosen));
      setWrong(false);
      put(chosen);
    },
  };
}
