import { Pencil, RotateCw, Trash2 } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';

interface FailedActionsProps {
  /** It waits for whether it is to go although a colleague was faster. */
  isOvertaken?: boolean | undefined;
  onRetry: () => void;
  /** Left out for what holds nothing to edit. */
  onEdit?: (() => void) | undefined;
  onDiscard: () => void;
}

/** What can be done with a message that was not sent. */
export function FailedActions({ isOvertaken, onRetry, onEdit, onDiscard }: FailedActionsProps) {
  const icon = { 'aria-hidden': true, size: 14, strokeWidth: 1.75 } as const;
  return (
    <div className="flex flex-wrap gap-1">
      <Button size="small" onClick={onRetry} icon={<RotateCw {...icon} />}>
        {isOvertaken ? t('Send anyway') : t('Retry')}
      </Button>
      {onEdit && (
        <Button size="small" variant="ghost" onClick={onEdit} icon={<Pencil {...icon} />}>
          {t('Edit')}
        </Button>
      )}
      <Button size="small" variant="ghost" onClick={onDiscard} icon={<Trash2 {...icon} />}>
        {t('Discard')}
      </Button>
    </div>
  );
}
