import { Copy, Pin, Reply, SmilePlus } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface MessageActionsProps {
  isOutgoing: boolean;
  canReact: boolean;
  onReact: (anchor: HTMLElement) => void;
  onReply: (() => void) | null;
  onCopy: (() => void) | null;
  onPin: (() => void) | null;
}

/** The action buttons beside a message bubble. */
export function MessageActions({
  isOutgoing,
  canReact,
  onReact,
  onReply,
  onCopy,
  onPin,
}: MessageActionsProps) {
  const button = 'size-7! rounded-chip';
  return (
    <div
      className={classes(
        'absolute top-1/2 flex -translate-y-1/2 coarse:hidden rounded-control border border-line bg-surface p-px',
        isOutgoing ? 'end-full me-1.5' : 'start-full ms-1.5',
      )}
    >
      {canReact && (
        <IconButton
          label={t('React')}
          className={button}
          aria-haspopup="dialog"
          onClick={(event) => onReact(event.currentTarget)}
        >
          <SmilePlus />
        </IconButton>
      )}
      {onReply && (
        <IconButton label={t('Reply', 'verb')} className={button} onClick={onReply}>
          <Reply />
        </IconButton>
      )}
      {onCopy && (
        <IconButton label={t('Copy')} className={button} onClick={onCopy}>
          <Copy />
        </IconButton>
      )}
      {onPin && (
        <IconButton label={t('Save as Statement')} className={button} onClick={onPin}>
          <Pin />
        </IconButton>
      )}
    </div>
  );
}
