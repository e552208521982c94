import { Pencil, RotateCw, Trash2 } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';

interface FailedActionsProps {
  /** Whether sending needs confirmation because a teammate replied first. */
  isStale: boolean | undefined;
  onRetry: () => void;
  /** Undefined for messages without editable content. */
  onEdit: (() => void) | undefined;
  onDiscard: () => void;
}

export function FailedActions({ isStale, onRetry, onEdit, onDiscard }: FailedActionsProps) {
  return (
    <div className="flex flex-wrap gap-1">
      <Button size="small" onClick={onRetry} icon={<RotateCw size={14} />}>
        {isStale ? t('Send anyway') : t('Retry')}
      </Button>
      {onEdit && (
        <Button size="small" variant="ghost" onClick={onEdit} icon={<Pencil size={14} />}>
          {t('Edit')}
        </Button>
      )}
      <Button size="small" variant="ghost" onClick={onDiscard} icon={<Trash2 size={14} />}>
        {t('Discard')}
      </Button>
    </div>
  );
}
