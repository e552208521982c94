import type { LucideIcon } from 'lucide-react';
import { EllipsisVertical } from 'lucide-react';
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type ReactElement,
  useId,
  useRef,
  useState,
} from 'react';
import { classes } from '../classes.ts';
import { IconButton } from '../icon-button.tsx';
import { focusWithPopover } from './focus-with-popover.ts';
import { type Placement, usePlacement } from './place-overlay.ts';
import { buttonOf } from './popover.tsx';

const PLACEMENT: Placement = { side: 'below', align: 'end', gap: 4 };

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  onSelect: () => void;
  /** Why it is disabled right now. */
  disabledBecause?: string | null | undefined;
}

interface MenuProps {
  /** The accessible name of the menu and its button. */
  label: string;
  items: readonly MenuItem[];
  /** The button that opens it; by default three dots. */
  trigger?: ReactElement<ComponentProps<'button'>>;
  className?: string | undefined;
}

/** A menu that opens from three dots or from its own button. Arrow keys move within it; Escape and a click outside close it. */
export function Menu({ label, items, trigger, className }: MenuProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const itemsOf = () => [
    ...(panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
  ];
  const placeBeside = usePlacement(panel, PLACEMENT);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = itemsOf();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (event.key === 'Tab') panel.current?.hidePopover();
    if (target === undefined) return;
    event.preventDefault();
    all[target]?.focus();
  };
  return (
    <>
      {cloneElement(trigger ?? <Dots label={label} className={className} />, {
        popoverTarget: id,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
      })}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onToggle={({ newState }) => {
          const isOpening = newState === 'open';
          setOpen(isOpening);
          placeBeside(isOpening ? buttonOf(id) : null);
        }}
        className="fixed right-auto m-0 min-w-44 max-w-[calc(100vw-16px)] overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-1 text-control text-fg shadow-overlay"
      >
        {items.map(({ label: text, icon: Icon, onSelect, disabledBecause }, index) => (
          <button
            key={text}
            ref={index === 0 ? focusWithPopover : undefined}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={disabledBecause ? true : undefined}
            onClick={() => {
              if (disabledBecause) return;
              panel.current?.hidePopover();
              onSelect();
            }}
            className={classes(
              'flex min-h-8 w-full items-center gap-2.5 rounded-chip px-2.5 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11',
              disabledBecause && 'text-fg-3',
            )}
          >
            <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
            <span className="flex flex-col py-1">
              {text}
              {disabledBecause && <span className="max-w-52 text-meta">{disabledBecause}</span>}
            </span>
          </button>
        ))}
      </div>
    </>
  );
}

function Dots(props: ComponentProps<typeof IconButton>) {
  return (
    <IconButton {...props}>
      <EllipsisVertical aria-hidden="true" size={16} strokeWidth={1.75} />
    </IconButton>
  );
}
