import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { usePopover } from './use-popover.ts';

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
  const { open, button, panel } = usePopover();
  return (
    <>
      {cloneElement(trigger, { ...button, 'aria-haspopup': 'dialog' })}
      <div
        {...panel}
        role="dialog"
        aria-label={label}
        className="fixed right-auto m-0 min-w-56 max-w-[calc(100vw-16px)] overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-1.5 text-control text-fg shadow-overlay"
      >
        {open && children}
      </div>
    </>
  );
}
