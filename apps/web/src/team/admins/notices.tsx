import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** Banners over the page, so that nothing moves when they appear. */
export function NoticeBanners({ notices }: { notices: Notices }) {
  const { failure, success, fail } = notices;
  return (
    <div className="pointer-events-none fixed inset-x-0 top-[max(8px,env(safe-area-inset-top))] z-30 mx-auto flex max-w-[592px] flex-col gap-2 px-4 md:top-16">
      {failure !== null && <Banner tone="danger" text={failure} onDismiss={() => fail(null)} />}
      {success !== null && <Banner tone="good" text={success} />}
    </div>
  );
}

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

/** A success message in green, or an error in red that screen readers announce immediately. */
function Banner({ tone, text, onDismiss }: BannerProps) {
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
          icon={<X />}
        />
      )}
    </div>
  );
}

interface Success {
  text: string;
  /** Milliseconds until the notice disappears. */
  stays: number;
}

/** Notices about the staff administration: failures stay until dismissed, successes for a moment. */
interface Notices {
  failure: string | null;
  success: string | null;
  fail: (text: string | null) => void;
  succeed: (text: string, stays: number) => void;
}

export function useNotices(): Notices {
  const [failure, setFailure] = useState<string | null>(null);
  const [success, setSuccess] = useState<Success | null>(null);
  useEffect(() => {
    if (success === null) return;
    const timer = setTimeout(() => setSuccess(null), success.stays);
    return () => clearTimeout(timer);
  }, [success]);
  const succeed = useCallback((text: string, stays: number) => {
    setFailure(null);
    setSuccess({ text, stays });
  }, []);
  return { failure, success: success?.text ?? null, fail: setFailure, succeed };
}
