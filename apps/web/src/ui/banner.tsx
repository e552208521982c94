import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { t } from '../lib/text/i18n.ts';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';

const TONES = {
  good: { look: 'border-good/30 bg-good-bg text-good', icon: CircleCheck, role: 'status' },
  danger: {
    look: 'border-danger/30 bg-flagged text-danger-text',
    icon: CircleAlert,
    role: 'alert',
  },
} as const;

interface BannerProps {
  tone: keyof typeof TONES;
  text: string;
  /** If set, the banner can be dismissed. */
  onDismiss?: () => void;
}

/** A line about what just happened on this page: green, or red and announced immediately by screen readers. */
export function Banner({ tone, text, onDismiss }: BannerProps) {
  const { look, icon: Icon, role } = TONES[tone];
  return (
    <div
      role={role}
      className={classes(
        'pointer-events-auto flex min-h-10 animate-overlay items-center gap-2.5 rounded-control border py-1 pe-1 ps-3 text-control shadow-overlay',
        look,
      )}
    >
      <Icon />
      <span className="min-w-0 flex-1 py-1 pe-2 wrap-anywhere">{text}</span>
      {onDismiss && (
        <IconButton
          label={t('Dismiss')}
          onClick={onDismiss}
          className="text-current! hover:bg-transparent"
        >
          <X />
        </IconButton>
      )}
    </div>
  );
}
