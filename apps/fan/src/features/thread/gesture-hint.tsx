import { Heart, X } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { stored } from '../../lib/stored.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** The storage key that is set once the hint has been closed. */
const KNOWN = 'gestures_known';

/** Explains the message gestures on touch screens, until it is closed once. */
export function GestureHint() {
  const [isShown, setShown] = useState(() => stored.get(KNOWN) === null);
  if (!isShown) return null;
  const close = () => {
    stored.set(KNOWN, 'yes');
    setShown(false);
  };
  return (
    <p className="mx-3 mb-1 hidden shrink-0 items-center gap-2.5 rounded-control bg-accent-bg py-0.5 ps-3 pe-0.5 text-control text-accent-text coarse:flex">
      <Heart size={18} className="shrink-0" />
      <span className="min-w-0 flex-1 py-1.5">
        {t('Double-tap a message to send a ❤️. Swipe it to reply.')}
      </span>
      <IconButton label={t('Got it')} onClick={close} className="text-current">
        <X size={18} />
      </IconButton>
    </p>
  );
}
