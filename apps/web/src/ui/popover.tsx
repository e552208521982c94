import { cloneElement, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';

const GAP_PX = 4;
const EDGE_PX = 8;

interface PopoverProps {
  /** What the panel is, for screen readers. */
  label: string;
  /** The button that opens it. */
  trigger: ReactElement<{
    popoverTarget?: string;
    'aria-expanded'?: boolean;
    'aria-haspopup'?: 'dialog';
  }>;
  children: ReactNode;
}

/** A small panel under its button, in the top layer. Escape, a click elsewhere or the button again close it. */
export function Popover({ label, trigger, children }: PopoverProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const place = () => {
    const button = document.querySelector(`[popovertarget="${CSS.escape(id)}"]`);
    if (!panel.current || !button) return;
    const at = button.getBoundingClientRect();
    const { offsetWidth: width } = panel.current;
    const left =
      document.dir === 'rtl'
        ? Math.min(at.left, window.innerWidth - width - EDGE_PX)
        : Math.max(EDGE_PX, at.right - width);
    panel.current.style.left = `${left}px`;
    panel.current.style.top = `${at.bottom + GAP_PX}px`;
  };
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
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') place();
        }}
        className="fixed right-auto m-0 min-w-56 rounded-card border border-line bg-surface p-1.5 text-control text-fg shadow-overlay"
      >
        {open && children}
      </div>
    </>
  );
}
