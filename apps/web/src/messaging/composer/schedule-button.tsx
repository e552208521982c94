import { Clock } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';

interface ScheduleButtonProps {
  /** Whether there is something to send. */
  isReady: boolean;
  onPress: () => void;
}

/** Opens the dialog that schedules the written message. */
export function ScheduleButton({ isReady, onPress }: ScheduleButtonProps) {
  return (
    <IconButton
      label={t('Schedule Message')}
      aria-disabled={!isReady}
      onClick={onPress}
      className="aria-disabled:text-fg-3 coarse:size-11"
      icon={<Clock />}
    />
  );
}
