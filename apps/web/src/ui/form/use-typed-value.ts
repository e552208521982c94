import { useEffect, useLayoutEffect, useRef, useState } from 'react';

interface TypedValueOptions {
  /** The value that the text stands for; empty for none. */
  value: string;
  onChange: (value: string) => void;
  show: (value: string) => string;
  /** Returns null for a text that means nothing. */
  read: (text: string) => string | null;
}

/**
 * The text of a field from which its value is read. The value follows while a text is typed in full, and any other text when the
 * field is left or Enter is pressed. A text that can't be parsed stays; the value is then empty, and the field is invalid for its
 * form.
 */
export function useTypedValue({ value, onChange, show, read }: TypedValueOptions) {
  const [text, setText] = useState(() => show(value));
  const [isWrong, setWrong] = useState(false);
  const [seen, setSeen] = useState(value);
  /** The value that the text stands for. */
  const [held, setHeld] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.setCustomValidity(isWrong ? text : ''), [isWrong, text]);
  /** How often the text was replaced from outside. */
  const [replaced, setReplaced] = useState(0);
  // Typing then overwrites the new text, as it would have if it had been there when the field got the focus.
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
