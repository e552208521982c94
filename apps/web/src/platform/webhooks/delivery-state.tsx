import type { DeliveryState } from '@stagedoor/contract/platform/webhooks';
import { CircleCheck, CircleX, Clock, type LucideIcon } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';

interface Look {
  label: string;
  icon: LucideIcon;
  color: string;
}

/** The states of deliveries, in the order of the filter. */
export const STATES: Readonly<Record<DeliveryState, Look>> = {
  waiting: { label: t('Waiting'), icon: Clock, color: 'text-warn' },
  delivered: { label: t('Delivered'), icon: CircleCheck, color: 'text-good' },
  failed: { label: t('Failed'), icon: CircleX, color: 'text-danger-text' },
};

/** A delivery's state as an icon, a word and a color. */
export function StateMark({ state }: { state: DeliveryState }) {
  const { label, icon: Icon, color } = STATES[state];
  return (
    <span className={classes('inline-flex items-center gap-1.5 font-medium', color)}>
      <Icon size={14} strokeWidth={2} />
      <span className="self-baseline">{label}</span>
    </span>
  );
}
