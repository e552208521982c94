import { type SyntheticEvent, useRef } from 'react';

/** Returns a dialog's handlers for clicks outside it. A text selection that begins inside and ends outside is no such click. */
export function useOutsideClick(onClick: () => void) {
  const pressed = useRef<EventTarget>(null);
  return {
    onPointerDown({ target }: SyntheticEvent) {
      pressed.current = target;
    },
    onClick({ target, currentTarget }: SyntheticEvent) {
      if (target === currentTarget && pressed.current === target) onClick();
    },
  };
}
