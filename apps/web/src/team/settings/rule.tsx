import type { ReactNode } from 'react';
import { Switch } from '../../ui/form/switch.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface RuleProps {
  title: string;
  text: string;
  /** Undefined while it loads; null for a rule that is always on. */
  isOn: boolean | null | undefined;
  busy?: boolean;
  onChange?: (on: boolean) => void;
  /** The rule's value, next to the switch. */
  children?: ReactNode;
}

/** A rule in a list, with its switch. */
export function Rule({ title, text, isOn, busy = false, onChange, children }: RuleProps) {
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 border-line px-4 py-2.5 not-last:border-b">
      <span className="min-w-[min(100%,12rem)] flex-1">
        <span className="block text-control font-medium">{title}</span>
        <span className="block text-meta text-fg-3">{text}</span>
      </span>
      <span className="ms-auto flex min-w-0 items-center gap-3">
        {children}
        {isOn === undefined && <Skeleton className="h-5 w-9" />}
        {isOn != null && onChange && (
          <Switch label={title} isOn={isOn} onChange={onChange} busy={busy} />
        )}
      </span>
    </li>
  );
}
