import { Check } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { toggleSelected, useSelection } from './selection.ts';

interface RowCheckProps {
  id: string;
  name: string;
  /** The distance from the row's top to the picture, in pixels. */
  top: number;
}

/** The checkbox over a row's picture. Shown on hover and keyboard focus, and always while rows are being selected. */
export function RowCheck({ id, name, top }: RowCheckProps) {
  const { ids, isOn } = useSelection();
  const canWrite = useAdmin().permissions.can_manage_messages;
  const isChecked = ids.has(id);
  const choose = (event: MouseEvent) => toggleSelected(id, event.shiftKey);
  if (!canWrite) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native checkbox does not report Shift when it is clicked
    <button
      type="button"
      role="checkbox"
      aria-checked={isChecked}
      aria-label={t('Select {name}', { name })}
      tabIndex={isOn ? 0 : -1}
      onClick={choose}
      style={{ top }}
      className={classes(
        'absolute start-3 z-10 flex size-10 coarse:start-2.5 coarse:-mt-0.5 coarse:size-11 items-center justify-center rounded-full bg-surface/80 select-none',
        'focus-visible:opacity-100 group-hover/row:opacity-100 group-has-focus-visible/row:opacity-100',
        isOn ? 'opacity-100' : 'opacity-0 coarse:pointer-events-none coarse:opacity-0!',
      )}
    >
      <span
        className={classes(
          'flex size-5 items-center justify-center rounded-[6px] border',
          isChecked ? 'border-accent bg-accent text-white' : 'border-control bg-surface',
        )}
      >
        {isChecked && <Check size={14} strokeWidth={2.5} />}
      </span>
    </button>
  );
}
