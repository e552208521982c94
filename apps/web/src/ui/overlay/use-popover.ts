import { type ToggleEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { keepPlaced, type Placement } from './place-overlay.ts';

const BELOW: Placement = { side: 'below', align: 'end', gap: 4 };

/**
 * Connects a button with a native popover, which opens next to it. Escape, a click outside or the button itself close it.
 * @param placement must be the same object in every render
 * @returns the props of the button and of the popover; the button may be anywhere in the page
 */
export function usePopover(placement = BELOW) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const button = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`);
    if (!(open && panel.current && button)) return;
    return keepPlaced(panel.current, button, placement);
  }, [open, id, placement]);
  return {
    open,
    button: { popoverTarget: id, 'aria-expanded': open },
    panel: {
      ref: panel,
      id,
      popover: 'auto' as const,
      onToggle: ({ newState }: ToggleEvent) => setOpen(newState === 'open'),
    },
  };
}
