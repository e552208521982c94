import { RotateCw } from 'lucide-react';
import { t } from '../lib/text/i18n.ts';
import { IconButton } from './icon-button.tsx';

interface RetryIconProps {
  /** What went wrong. */
  text: string;
  onRetry: () => void;
}

/** Beside a control that went back because something failed: says what, and tries again. */
export function RetryIcon({ text, onRetry }: RetryIconProps) {
  return (
    <>
      <span role="alert" className="sr-only">
        {text}
      </span>
      <IconButton
        label={t('{problem}. Retry', { problem: text })}
        onClick={onRetry}
        className="text-danger-text!"
      >
        <RotateCw aria-hidden="true" size={16} strokeWidth={1.75} />
      </IconButton>
    </>
  );
}
