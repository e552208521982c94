import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { tabAt } from '../lib/tab-at.ts';
import { classes } from './classes.ts';

interface TabListProps<Tab extends string> {
  /** The accessible name of the tabs. */
  label: string;
  /** The labels in display order; each also identifies its tab. */
  tabs: readonly Tab[];
  current: Tab;
  onChange: (tab: Tab) => void;
  /** The prefix of the tab buttons' ids. */
  id: string;
  /** Returns the id of the panel for the tab at an index. */
  panelOf: (index: number) => string;
  className?: string;
}

/** A row of tabs, one of them current. Arrow keys, Home and End move between them. */
export function TabList<Tab extends string>(props: TabListProps<Tab>) {
  const { label, tabs, current, onChange, id, panelOf, className } = props;
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const target = tabAt(event.key, tabs, tabs.indexOf(current));
    if (target === undefined) return;
    event.preventDefault();
    onChange(target);
    list.current?.querySelector<HTMLElement>(`[data-tab="${target}"]`)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className={classes('flex gap-4 border-b border-line', className)}
    >
      {tabs.map((tab, index) => (
        <button
          key={tab}
          type="button"
          role="tab"
          data-tab={tab}
          id={`${id}-${index}`}
          aria-selected={tab === current}
          aria-controls={panelOf(index)}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => onChange(tab)}
          className={classes(
            '-mb-px h-9 border-b-2 text-control font-medium transition-colors duration-80 coarse:h-11 coarse:min-w-11',
            tab === current
              ? 'border-accent-text text-accent-text'
              : 'border-transparent text-fg-2 hover:text-fg',
          )}
        >
          {tab}
        </button>
      ))}
    </div>
  );
}

interface TabsProps<Tab extends string>
  extends Pick<TabListProps<Tab>, 'label' | 'tabs' | 'current' | 'onChange'> {
  /** The current tab's content. */
  children: ReactNode;
}

/** Tabs above the content of the current one. */
export function Tabs<Tab extends string>({ current, children, ...list }: TabsProps<Tab>) {
  const id = useId();
  return (
    <div>
      <TabList
        {...list}
        current={current}
        id={id}
        panelOf={() => `${id}-panel`}
        className="mb-3 flex-wrap print:hidden"
      />
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${list.tabs.indexOf(current)}`}
      >
        {children}
      </div>
    </div>
  );
}
