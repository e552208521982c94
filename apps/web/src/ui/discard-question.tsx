import { useEffect, useState } from 'react';
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
        title="Discard changes?"
        text={text}
        confirmLabel="Discard"
        onCancel={() => setBlocked(null)}
        onConfirm={() => {
          setBlocked(null);
          blocked();
        }}
      />
    )
  );
}
