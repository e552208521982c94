import { Check } from 'lucide-react';
import type { SyntheticEvent } from 'react';
import { isComposing, shortcutName } from '../../lib/keyboard.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { EditConflict } from '../../ui/form/edit-conflict.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { NOTE_FIELDS } from './merge.ts';
import type { useNotesEdit } from './use-notes-edit.ts';

interface NotesFormProps {
  editing: ReturnType<typeof useNotesEdit>;
  onCancel: () => void;
}

export function NotesForm({ editing, onCancel }: NotesFormProps) {
  const { edit, phase, hasFailed, conflicts, write, save, saveMine, takeTheirs } = editing;
  if (edit === null) return null;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save();
  };
  const isLocked = phase !== 'edit';
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => {
        const { nativeEvent } = event;
        if (!isComposing(nativeEvent) && shortcutName(nativeEvent) === 'Mod+Enter') submit(event);
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        {conflicts.length > 0 && (
          <EditConflict onMine={saveMine} onTheirs={takeTheirs}>
            {NOTE_FIELDS.filter(({ name }) => conflicts.includes(name))
              .map(({ name, label }) => `${label}: ${edit.base[name] || t('Empty')}`)
              .join('\n')}
          </EditConflict>
        )}
        {NOTE_FIELDS.map(({ name, label }) => {
          const field = {
            name,
            label,
            value: edit.texts[name],
            readOnly: isLocked,
            onChange: (event: { target: { value: string } }) => write(name, event.target.value),
          };
          return name === 'notes' ? (
            <TextAreaField key={name} {...field} rows={6} />
          ) : (
            <TextField key={name} {...field} autoComplete="off" />
          );
        })}
      </div>
      <footer className="flex shrink-0 flex-col gap-2 border-t border-line p-3 pb-[max(12px,env(safe-area-inset-bottom))]">
        {hasFailed && phase === 'edit' && (
          <ErrorBox text={t('Failed to update notes')} onRetry={save} />
        )}
        <div className="flex items-center justify-end gap-2">
          {phase === 'saved' && (
            <p role="status" className="me-auto flex items-center gap-1.5 text-control text-good">
              <Check strokeWidth={2} />
              {t('Saved successfully')}
            </p>
          )}
          <Button onClick={onCancel} disabled={isLocked}>
            {t('Cancel')}
          </Button>
          <Button
            variant="primary"
            type="submit"
            busy={phase === 'saving'}
            disabled={phase === 'saved' || conflicts.length > 0}
          >
            {t('Save')}
          </Button>
        </div>
      </footer>
    </form>
  );
}
