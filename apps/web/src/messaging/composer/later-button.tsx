import { Clock } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface LaterButtonProps {
  /** Whether there is something to send. */
  isReady: boolean;
  onPress: () => void;
}

/** Beside the text field: sends what is written at a time that is chosen. */
export function LaterButton({ isReady, onPress }: LaterButtonProps) {
  return (
    <IconButton
      label={t('Send later')}
      aria-disabled={!isReady}
      onClick={onPress}
      className="aria-disabled:text-fg-3 coarse:size-11"
    >
      <Clock aria-hidden="true" size={16} strokeWidth={1.75} />
    </IconButton>
  );
}
