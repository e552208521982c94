import { useLayoutEffect, useRef } from 'react';

/** Grows a text area with its text in browsers without `field-sizing`. Returns its ref. */
export function useAutoGrow(text: string) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [text]);
  return field;
}
