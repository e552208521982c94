import { CircleAlert } from 'lucide-react';
import { t } from '../lib/text/i18n.ts';
import { Button } from './button.tsx';

interface ErrorBoxProps {
  text: string;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}

/** An error in red that screen readers announce immediately, with an optional Retry button. */
export function ErrorBox({ text, onRetry, retrying = false }: ErrorBoxProps) {
  return (
    <div
      role="alert"
      className="flex items-center gap-2.5 rounded-control border border-danger/30 bg-flagged px-3 py-2 text-control text-danger-text"
    >
      <CircleAlert />
      <span className="min-w-0 flex-1 wrap-break-word">{text}</span>
      {onRetry && (
        <Button size="small" onClick={onRetry} busy={retrying}>
          {t('Retry')}
        </Button>
      )}
    </div>
  );
}
