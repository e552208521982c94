import { uuid } from '@stagedoor/browser/uuid';
import { type FanStatement, STATEMENT_MAX_CHARS } from '@stagedoor/contract/fans/statements';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { type FanZone, fromLocal, ownZone, toLocal } from '../../lib/text/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { DateTimeField } from '../../ui/form/date-time-field.tsx';
import { EditConflict } from '../../ui/form/edit-conflict.tsx';
import { TextAreaField } from '../../ui/form/text-field.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { STATEMENT_FORM } from './form-name.ts';
import { remove, saveChange, saveNew } from './queries.ts';
import { refreshStatements } from './use-statements.ts';

export interface StatementDraft {
  /** The statement being edited; null for a new one. */
  readonly statement: FanStatement | null;
  readonly text: string;
  /** The message that a new statement is taken from, or null. */
  readonly messageId: string | null;
}

const isConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'statement_conflict';

/** Returns a statement's due date in the format of date fields; empty if it has none. */
const dueIn = (statement: FanStatement | null) =>
  statement?.due_at ? toLocal(Date.parse(statement.due_at), ownZone()) : '';

interface StatementFormProps {
  conversationId: string;
  draft: StatementDraft;
  /** The fan's time zone; null if it is unknown or the same as the admin's. */
  fan: FanZone | null;
  onClose: () => void;
}

/** The form for a statement with an optional due date. The input stays until it is saved. */
export function StatementForm({ conversationId, draft, fan, onClose }: StatementFormProps) {
  const client = useQueryClient();
  const { statement } = draft;
  // The stored version that the input is based on. The next save overwrites this version.
  const [base, setBase] = useState(statement);
  const [begun, setBegun] = useState(() => ({
    text: draft.text.slice(0, STATEMENT_MAX_CHARS),
    due: dueIn(statement),
  }));
  const [text, setText] = useState(begun.text);
  const [due, setDue] = useState(begun.due);
  const [theirs, setTheirs] = useState<FanStatement | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  // Retries use the same id, so that the statement is stored once.
  const [newId] = useState(uuid);
  const [promiseId] = useState(uuid);
  useEffect(() => form.current?.querySelector('textarea')?.focus(), []);
  const hasDue = statement === null || statement.due_at !== null;
  const isDirty = text !== begun.text || due !== begun.due;
  const dueInstant = fromLocal(due, ownZone());
  const dueAt = dueInstant === null ? null : new Date(dueInstant).toISOString();

  const save = useMutation({
    mutationFn: async () => {
      const { messageId: message_id } = draft;
      if (base === null)
        return saveNew(conversationId, { id: newId, text, message_id, due_at: dueAt });
      if (base.due_at === null && dueAt !== null) {
        // The first try stored a statement, which can't become a promise.
        await saveNew(conversationId, { id: promiseId, text, message_id, due_at: dueAt });
        return remove(base.id);
      }
      const { version } = base;
      return saveChange(base.id, { text, version, ...(dueAt !== null && { due_at: dueAt }) });
    },
    onSuccess: async () => {
      await refreshStatements(client);
      onClose();
    },
    onError: (failure) => {
      if (!isConflict(failure) || !failure.current) return;
      const stored = failure.current as FanStatement;
      setTheirs(stored);
      setBase(stored);
    },
  });
  const error =
    missing ??
    (save.isError && !isConflict(save.error)
      ? errorText(save.error, t('Couldn’t save the statement'))
      : null);
  const submit = () => {
    if (save.isPending) return;
    const invalid = form.current?.querySelector<HTMLElement>('input:invalid');
    if (invalid) {
      setMissing(t('Enter when it is due'));
      return invalid.focus();
    }
    if (text.trim() === '') return setMissing(t('Enter the statement'));
    if (base?.due_at != null && dueAt === null) return setMissing(t('Enter when it is due'));
    setMissing(null);
    save.mutate();
  };
  const takeTheirs = () => {
    if (theirs === null) return;
    const taken = { text: theirs.text, due: dueIn(theirs) };
    setBegun(taken);
    setText(taken.text);
    setDue(taken.due);
    setTheirs(null);
    save.reset();
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      aria-label={statement === null ? t('New Statement') : t('Edit Statement')}
      className="flex flex-col gap-3 rounded-control border border-line bg-surface-2/50 p-3"
    >
      {isDirty && <DiscardQuestion form={STATEMENT_FORM} text={t('The statement isn’t saved.')} />}
      {theirs && (
        <EditConflict onMine={submit} onTheirs={takeTheirs} isSaving={save.isPending}>
          {theirs.text}
        </EditConflict>
      )}
      <TextAreaField
        label={t('What the creator said')}
        rows={3}
        maxLength={STATEMENT_MAX_CHARS}
        value={text}
        readOnly={save.isPending}
        onChange={(event) => setText(event.target.value)}
      />
      {hasDue && (
        <DateTimeField
          label={t('Due')}
          value={due}
          onChange={setDue}
          clocks={{ zone: ownZone(), fan }}
          hint={t('With a time, it becomes a promise and you get a reminder.')}
          isReadOnly={save.isPending}
        />
      )}
      {error !== null && <ErrorBox text={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={() => leave(onClose, STATEMENT_FORM)} disabled={save.isPending}>
          {t('Cancel')}
        </Button>
        <Button variant="primary" type="submit" busy={save.isPending}>
          {t('Save')}
        </Button>
      </div>
    </form>
  );
}
