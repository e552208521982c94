import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { classes } from './classes.ts';

interface TabsProps<Tab extends string> {
  /** What the tabs switch, for those who hear them. */
  label: string;
  /** Their texts, in order; each names its tab too. */
  tabs: readonly Tab[];
  current: Tab;
  onChange: (tab: Tab) => void;
  /** The current tab's content. */
  children: ReactNode;
}

/** A few texts in a row, of which one is current, above what belongs to it. Arrow keys, Home and End move between them. */
export function Tabs<Tab extends string>(props: TabsProps<Tab>) {
  const { label, tabs, current, onChange, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.indexOf(current);
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const target = tabs[targets[event.key] ?? -1];
    if (target === undefined) return;
    event.preventDefault();
    onChange(target);
    list.current?.querySelector<HTMLElement>(`[data-tab="${target}"]`)?.focus();
  };
  return (
    <div>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="mb-3 flex gap-4 border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            data-tab={tab}
            id={`${id}-${tab}`}
            aria-selected={tab === current}
            aria-controls={`${id}-panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => onChange(tab)}
            className={classes(
              '-mb-px h-9 border-b-2 text-control font-medium transition-colors duration-80 coarse:h-11',
              tab === current
                ? 'border-accent-text text-accent-text'
                : 'border-transparent text-fg-2 hover:text-fg',
            )}
          >
            {tab}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  );
}
