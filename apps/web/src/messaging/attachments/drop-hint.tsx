import { Upload } from 'lucide-react';
import { t } from '../../lib/text/i18n.ts';

/** The overlay shown while files are dragged over the conversation. It names the fan they would go to. */
export function DropHint({ fanName }: { fanName: string }) {
  return (
    <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center gap-2.5 rounded-card border-2 border-dashed border-accent bg-surface/92 text-title font-semibold text-accent-text">
      <Upload size={24} />
      {t('Drop files for {name}', { name: fanName })}
    </p>
  );
}
