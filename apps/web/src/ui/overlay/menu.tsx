import { EllipsisVertical, type LucideIcon } from 'lucide-react';
import { type ComponentProps, cloneElement, type KeyboardEvent, type ReactElement } from 'react';
import { classes } from '../classes.ts';
import { IconButton } from '../icon-button.tsx';
import type { Placement } from './place-overlay.ts';
import { usePopover } from './use-popover.ts';

export interface MenuItem {
  label: string;
  icon: LucideIcon;
  onSelect: () => void;
  /** Why the item is disabled right now; unset if it is enabled. */
  disabledBecause?: string | null | undefined;
}

interface MenuProps {
  /** The accessible name of the menu and its button. */
  label: string;
  items: readonly (MenuItem | 'separator')[];
  /** The button that opens it; by default three dots. */
  trigger?: ReactElement<ComponentProps<'button'>>;
  /** Below the button by default. Must be the same object in every render. */
  placement?: Placement | undefined;
  className?: string | undefined;
}

/** A menu that opens from three dots or from its own button. Arrow keys move within it; Escape and a click outside close it. */
export function Menu({ label, items, trigger, placement, className }: MenuProps) {
  const { button, panel } = usePopover(placement);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { currentTarget, key } = event;
    const all = [...currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[key];
    if (key === 'Tab') currentTarget.hidePopover();
    if (target === undefined) return;
    event.preventDefault();
    all[target]?.focus();
  };
  return (
    <>
      {cloneElement(trigger ?? <Dots label={label} className={className} />, {
        ...button,
        'aria-haspopup': 'menu',
      })}
      <div
        {...panel}
        role="menu"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="fixed right-auto m-0 min-w-44 max-w-[calc(100vw-16px)] overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-1 text-control text-fg shadow-overlay"
      >
        {items.map((item, index) =>
          item === 'separator' ? (
            <hr key={item} className="my-1 border-line" />
          ) : (
            <MenuButton key={item.label} {...item} isFirst={index === 0} />
          ),
        )}
      </div>
    </>
  );
}

interface MenuButtonProps extends MenuItem {
  isFirst: boolean;
}

function MenuButton(props: MenuButtonProps) {
  const { label, icon: Icon, onSelect, disabledBecause, isFirst } = props;
  return (
    <button
      ref={isFirst ? focusWithPopover : undefined}
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={disabledBecause ? true : undefined}
      onClick={({ currentTarget }) => {
        if (disabledBecause) return;
        currentTarget.closest<HTMLElement>('[popover]')?.hidePopover();
        onSelect();
      }}
      className={classes(
        'flex min-h-8 w-full items-center gap-2.5 rounded-chip px-2.5 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11',
        disabledBecause && 'text-fg-3',
      )}
    >
      <Icon />
      <span className="flex flex-col py-1">
        {label}
        {disabledBecause && <span className="max-w-52 text-meta">{disabledBecause}</span>}
      </span>
    </button>
  );
}

function Dots(props: ComponentProps<typeof IconButton>) {
  return <IconButton {...props} icon={<EllipsisVertical />} />;
}

/**
 * Makes the browser focus an element when its popover opens; use it as the element's `ref`. The browser does so synchronously,
 * while a handler for the toggle event could run after the next key press.
 */
function focusWithPopover(element: HTMLElement | null): void {
  // React's own `autoFocus` would focus the element on mount.
  element?.setAttribute('autofocus', '');
}
