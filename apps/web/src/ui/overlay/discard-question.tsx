import { useEffect, useState } from 'react';
import { guardLeaving } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DiscardQuestionProps {
  /** Whose input it is, as `leave` calls it. */
  form: string;
  /** What would be lost. */
  text: string;
  /** Gives up what would outlive its form. */
  onDiscard?: () => void;
}

interface Asked {
  texts: readonly string[];
  go: () => void;
}

/** While it is mounted, leaving its form or the page asks first. */
export function DiscardQuestion({ form, text, onDiscard }: DiscardQuestionProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(
    () =>
      guardLeaving({
        form,
        text,
        ask: (texts, go) => setAsked({ texts, go }),
        discard: onDiscard,
      }),
    [form, text, onDiscard],
  );
  return (
    asked && (
      <ConfirmDialog
        title={t('Discard changes?')}
        text={asked.texts.map((each) => (
          <span key={each} className="block">
            {each}
          </span>
        ))}
        confirmLabel={t('Discard')}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          setAsked(null);
          asked.go();
        }}
      />
    )
  );
}
