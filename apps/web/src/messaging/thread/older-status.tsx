import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Spinner } from '../../ui/spinner.tsx';

interface OlderStatusProps {
  /** Why older messages did not load; null while they are loading. */
  error: string | null;
  onRetry: () => void;
}

/** Shows, at the top of the thread, that older messages are loading or failed to load. */
export function OlderStatus({ error, onRetry }: OlderStatusProps) {
  return (
    <div className="absolute inset-x-0 top-2 flex justify-center">
      <div
        role={error === null ? 'status' : 'alert'}
        className="flex items-center gap-2 rounded-full border border-line bg-surface px-3 py-1 text-meta text-fg-2 shadow-overlay"
      >
        {error ?? (
          <>
            <Spinner /> {t('Loading older messages...')}
          </>
        )}
        {error !== null && (
          <Button size="small" variant="ghost" onClick={onRetry}>
            {t('Retry')}
          </Button>
        )}
      </div>
    </div>
  );
}
