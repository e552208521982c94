import { RotateCw } from 'lucide-react';
import { t } from '../lib/text/i18n.ts';
import { IconButton } from './icon-button.tsx';

interface RetryIconProps {
  /** The error to show. */
  text: string;
  onRetry: () => void;
}

/** A Retry button next to a control whose change failed and was reverted; also announces the error. */
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
        icon={<RotateCw />}
      />
    </>
  );
}
