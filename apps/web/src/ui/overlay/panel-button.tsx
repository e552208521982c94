import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

interface PanelButtonProps extends ComponentProps<'button'> {
  icon: LucideIcon;
  label: string;
}

/** A button as wide as its popover, with an icon, a label and its children. */
export function PanelButton({ icon: Icon, label, children, ...rest }: PanelButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className="flex min-h-8 w-full items-center gap-2 rounded-chip px-2 text-start transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
    >
      <Icon className="text-fg-2" />
      {label}
      {children}
    </button>
  );
}
