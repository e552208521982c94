import { type SyntheticEvent, useRef } from 'react';

/** Returns a dialog's handlers for clicks outside it. Ignores a drag that begins inside, such as a text selection. */
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
