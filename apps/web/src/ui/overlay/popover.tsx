import { cloneElement, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { type Placement, usePlacement } from './place-overlay.ts';

const PLACEMENT: Placement = { side: 'below', align: 'end', gap: 4 };

interface PopoverProps {
  /** The accessible name of the panel. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement<{
    popoverTarget?: string;
    'aria-expanded'?: boolean;
    'aria-haspopup'?: 'dialog';
  }>;
  children: ReactNode;
}

/** A small top-layer panel below its button. Escape, a click outside or the button itself close it. */
export function Popover({ label, trigger, children }: PopoverProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const placeBeside = usePlacement(panel, PLACEMENT);
  return (
    <>
      {cloneElement(trigger, {
        popoverTarget: id,
        'aria-expanded': open,
        'aria-haspopup': 'dialog',
      })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={({ newState }) => {
          const isOpening = newState === 'open';
          setOpen(isOpening);
          placeBeside(isOpening ? buttonOf(id) : null);
        }}
        className="fixed right-auto m-0 min-w-56 max-w-[calc(100vw-16px)] overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-1.5 text-control text-fg shadow-overlay"
      >
        {open && children}
      </div>
    </>
  );
}

/** Returns the button that opens the popover with this id. */
export function buttonOf(id: string): Element | null {
  return document.querySelector(`[popovertarget="${CSS.escape(id)}"]`);
}
