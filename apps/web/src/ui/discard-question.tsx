import { useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { guardLeaving } from '../lib/leave-guard.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DiscardQuestionProps {
  /** What would be lost. */
  text: string;
}

/** While it is mounted, leaving the page asks first. */
export function DiscardQuestion({ text }: DiscardQuestionProps) {
  const [blocked, setBlocked] = useState<(() => void) | null>(null);
  useEffect(() => guardLeaving((go) => setBlocked(() => go)), []);
  return (
    blocked && (
      <ConfirmDialog
        title={t('Discard changes?')}
        text={text}
        confirmLabel={t('Discard')}
        onCancel={() => setBlocked(null)}
        onConfirm={() => {
          setBlocked(null);
          blocked();
        }}
      />
    )
  );
}
