import { rich } from '@stagedoor/browser/rich-text';
import { type FanStatement, STATEMENT_MAX_CHARS } from '@stagedoor/contract/fans/statements';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { uuid } from '../../lib/text/uuid.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextAreaField, TextField } from '../../ui/form/text-field.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { fromField, toField } from './due.ts';
import { STATEMENT_FORM } from './form-name.ts';
import { saveChange, saveNew } from './queries.ts';
import { refreshStatements } from './use-statements.ts';

/** The initial values of the form. */
export interface StatementDraft {
  /** The statement being edited; null for a new one. */
  readonly statement: FanStatement | null;
  readonly text: string;
  /** The message with the statement, for a new one. */
  readonly messageId: string | null;
}

interface StatementFormProps {
  conversationId: string;
  draft: StatementDraft;
  onClose: () => void;
}

/** The form for a statement with an optional due date. The input stays until it is saved. */
export function StatementForm({ conversationId, draft, onClose }: StatementFormProps) {
  const client = useQueryClient();
  const { statement } = draft;
  const begun = draft.text.slice(0, STATEMENT_MAX_CHARS);
  const begunDue = toField(statement?.due_at ?? null);
  const [text, setText] = useState(begun);
  const [due, setDue] = useState(begunDue);
  // A teammate's newer version. The next save overwrites it.
  const [theirs, setTheirs] = useState<FanStatement | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const hintId = useId();
  // Retries use the same id, so that the statement is stored once.
  const [newId] = useState(uuid);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const hasDue = statement === null || statement.due_at !== null;
  const isDirty = text !== begun || due !== begunDue;

  const save = async () => {
    const dueAt = fromField(due);
    if (text.trim() === '') return setError(t('Enter the statement'));
    if (statement?.due_at != null && dueAt === null) return setError(t('Enter when it is due'));
    setSaving(true);
    setError(null);
    try {
      if (statement === null) {
        const { messageId: message_id } = draft;
        await saveNew(conversationId, { id: newId, text, message_id, due_at: dueAt });
      } else {
        const version = (theirs ?? statement).version;
        await saveChange(statement.id, { text, version, ...(dueAt !== null && { due_at: dueAt }) });
      }
      await refreshStatements(client);
      onClose();
    } catch (failure) {
      setSaving(false);
      const isConflict = failure instanceof ApiError && failure.code === 'statement_conflict';
      if (isConflict && failure.current) return setTheirs(failure.current as FanStatement);
      console.error('Failed to save what was said', failure);
      setError(errorText(failure, t('Couldn’t save the statement')));
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  return (
    <form
      ref={form}
      onSubmit={submit}
      aria-label={statement === null ? t('New Statement') : t('Edit Statement')}
      className="flex flex-col gap-3 rounded-control border border-line bg-surface-2/50 p-3"
    >
      {isDirty && <DiscardQuestion form={STATEMENT_FORM} text={t('The statement isn’t saved.')} />}
      {theirs && (
        <p role="alert" className="rounded-control bg-warn-bg px-3 py-2 text-control text-warn">
          {rich('A teammate changed this to “{text}”. Save again to keep yours.', {
            text: <q className="wrap-anywhere">{theirs.text}</q>,
          })}
        </p>
      )}
      <TextAreaField
        label={t('What the creator said')}
        rows={3}
        maxLength={STATEMENT_MAX_CHARS}
        value={text}
        readOnly={isSaving}
        onChange={(event) => setText(event.target.value)}
      />
      {hasDue && (
        <div>
          <TextField
            label={t('Due')}
            type="datetime-local"
            value={due}
            readOnly={isSaving}
            aria-describedby={hintId}
            onChange={(event) => setDue(event.target.value)}
          />
          <p id={hintId} className="mt-1 text-meta text-fg-3">
            {t('With a time, it becomes a promise and you get a reminder.')}
          </p>
        </div>
      )}
      {error !== null && <ErrorBox text={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={() => leave(onClose, STATEMENT_FORM)} disabled={isSaving}>
          {t('Cancel')}
        </Button>
        <Button variant="primary" type="submit" busy={isSaving}>
          {t('Save')}
        </Button>
      </div>
    </form>
  );
}
