import { Pencil, RotateCw, Trash2 } from 'lucide-react';
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
        {isOvertaken ? 'Send anyway' : 'Retry'}
      </Button>
      {onEdit && (
        <Button size="small" variant="ghost" onClick={onEdit} icon={<Pencil {...icon} />}>
          Edit
        </Button>
      )}
      <Button size="small" variant="ghost" onClick={onDiscard} icon={<Trash2 {...icon} />}>
        Discard
      </Button>
    </div>
  );
}
