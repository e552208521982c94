import { Check } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { NOTE_FIELDS, type NoteField } from './merge.ts';
import type { useNotesEdit } from './use-notes-edit.ts';

interface NotesFormProps {
  editing: ReturnType<typeof useNotesEdit>;
  onCancel: () => void;
}

/** The form for profile notes. */
export function NotesForm({ editing, onCancel }: NotesFormProps) {
  const { edit, phase, hasFailed, conflicts, write, choose, save } = editing;
  if (edit === null) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const isLocked = phase !== 'edit';
  return (
    <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
        {conflicts.length > 0 && (
          <p role="alert" className="rounded-control bg-warn-bg px-3 py-2 text-control text-warn">
            {t(
              'A teammate saved these notes after you opened them. Choose what to keep, then save again.',
            )}
          </p>
        )}
        {NOTE_FIELDS.map(({ name, label }) => {
          const field = {
            label,
            value: edit.texts[name],
            readOnly: isLocked,
            onChange: (event: { target: { value: string } }) => write(name, event.target.value),
          };
          return (
            <div key={name} className="flex flex-col gap-2">
              {name === 'notes' ? (
                <TextAreaField {...field} rows={6} />
              ) : (
                <TextField {...field} autoComplete="off" />
              )}
              {conflicts.includes(name) && (
                <Conflict
                  name={name}
                  label={label}
                  theirs={edit.base[name]}
                  onTheirs={() => choose(name, edit.base[name])}
                  onMine={() => choose(name, edit.texts[name])}
                />
              )}
            </div>
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
              <Check aria-hidden="true" size={16} strokeWidth={2} />
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

interface ConflictProps {
  name: NoteField;
  label: string;
  theirs: string;
  onTheirs: () => void;
  onMine: () => void;
}

/** Shows a teammate's text for a field. The user can take it or keep the text above. */
function Conflict({ name, label, theirs, onTheirs, onMine }: ConflictProps) {
  const id = useId();
  return (
    <fieldset
      aria-labelledby={id}
      data-field={name}
      className="rounded-control border border-line bg-surface-2 p-2.5"
    >
      <p id={id} className="text-meta font-medium text-fg-2">
        {t('{field}: your teammate’s version', { field: label })}
      </p>
      <p
        dir="auto"
        className="mt-1 max-h-40 overflow-y-auto text-control wrap-anywhere whitespace-pre-wrap"
      >
        {theirs === '' ? <span className="text-fg-3">{t('Empty')}</span> : theirs}
      </p>
      <div className="mt-2 flex gap-2">
        <Button size="small" onClick={onTheirs}>
          {t('Use Theirs')}
        </Button>
        <Button size="small" onClick={onMine}>
          {t('Keep Mine')}
        </Button>
      </div>
    </fieldset>
  );
}
