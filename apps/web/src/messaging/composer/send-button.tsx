import { SendHorizontal } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import { useOpenConversation } from '../messages/open-conversation.ts';

/** Submits the reply. */
export function SendButton({ canSend }: { canSend: boolean }) {
  const { fanName } = useOpenConversation();
  const label = t('Send to {name}', { name: fanName });
  return (
    <Tooltip text={label} describes={false}>
      <button
        type="submit"
        aria-label={label}
        aria-disabled={!canSend}
        className={classes(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-control transition-colors duration-80 coarse:size-11',
          canSend ? 'bg-accent text-white hover:bg-accent-hover' : 'bg-surface-2 text-fg-3',
        )}
      >
        <SendHorizontal className="rtl:-scale-x-100" />
      </button>
    </Tooltip>
  );
}
