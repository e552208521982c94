import { CloudOff } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';

/** A note that the inbox shows stored data, which may be out of date. */
export function KeptNote() {
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-3 bottom-[max(12px,env(safe-area-inset-bottom))] z-20 mx-auto flex w-fit items-center gap-2 rounded-full border border-line bg-surface px-3 py-1.5 text-meta text-fg-2 shadow-overlay"
    >
      <CloudOff size={14} />
      {t('You are offline. Showing what was loaded last.')}
    </p>
  );
}
