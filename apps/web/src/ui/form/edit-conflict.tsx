import type { ReactNode } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../button.tsx';

interface EditConflictProps {
  /** The teammate's version. */
  children: ReactNode;
  /** Overwrites the teammate's version with the user's. */
  onMine: () => void;
  /** Replaces the user's input with the teammate's version. */
  onTheirs: () => void;
  isSaving?: boolean;
}

/** Shows what a teammate has saved since a form was opened, and asks which version to keep. */
export function EditConflict({ children, onMine, onTheirs, isSaving = false }: EditConflictProps) {
  return (
    <div role="alert" className="rounded-control bg-warn-bg p-3 text-control text-warn">
      <p className="font-medium">{t('A teammate has saved this since you opened it')}</p>
      <blockquote
        dir="auto"
        className="my-2 max-h-40 overflow-y-auto border-s-2 border-warn/40 ps-2.5 whitespace-pre-wrap wrap-anywhere"
      >
        {children}
      </blockquote>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={onMine} busy={isSaving}>
          {t('Save Mine')}
        </Button>
        <Button size="small" onClick={onTheirs}>
          {t('Use Theirs')}
        </Button>
      </div>
    </div>
  );
}
