import { useEffect, useState } from 'react';
import { guardLeaving } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

interface DiscardQuestionProps {
  /** The form that holds the input, named as for `leave`. */
  form: string;
  /** A sentence that says what would be lost. */
  text: string;
  /** Deletes input that is stored outside the form, or closes a dialog that outlives the page. */
  onDiscard?: () => void;
}

interface Asked {
  texts: readonly string[];
  go: () => void;
}

/** While this is mounted, leaving the form or the page asks for confirmation first. */
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
        onClose={() => setAsked(null)}
        onConfirm={asked.go}
      />
    )
  );
}
