import type { FanStatement } from '@stagedoor/contract/fans/statements';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { t } from '../../lib/text/i18n.ts';
import type { FanZone } from '../../lib/text/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { STATEMENT_FORM } from './form-name.ts';
import { statementsOptions } from './queries.ts';
import { type StatementDraft, StatementForm } from './statement-form.tsx';
import { DoneBox, StatementRow } from './statement-row.tsx';
import { useStatements } from './use-statements.ts';

/** A message to save as a statement. */
export interface PinnedMessage {
  readonly messageId: string;
  readonly text: string;
  /** Identifies the request, because the same message can be pinned again. */
  readonly request: number;
}

interface StatementsTabProps {
  conversationId: string;
  /** The fan's time zone; null if it is unknown or the same as the admin's. */
  fan: FanZone | null;
  pinned: PinnedMessage | null;
  onShowMessage: (messageId: string) => void;
}

const EMPTY: StatementDraft = { statement: null, text: '', messageId: null };

/** The statements and promises made to a fan in the creator's name, so that all staff stay consistent. */
export function StatementsTab({ conversationId, fan, pinned, onShowMessage }: StatementsTabProps) {
  const { data, isError, refetch } = useQuery(statementsOptions(conversationId));
  const { failure, setDone, remove } = useStatements();
  const [draft, setDraft] = useState<StatementDraft | null>(null);
  const [answered, setAnswered] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  /** A selector for the element to focus if the focused element is removed or moves. */
  const refocus = useRef<string | null>(null);
  useEffect(() => {
    if (refocus.current === null || document.activeElement !== document.body) return;
    root.current?.querySelector<HTMLElement>(refocus.current)?.focus();
    refocus.current = null;
  });
  const [removing, setRemoving] = useState<FanStatement | null>(null);
  if (pinned !== null && pinned.request !== answered) {
    setAnswered(pinned.request);
    setDraft({ statement: null, text: pinned.text, messageId: pinned.messageId });
  }
  if (!data) {
    return isError ? (
      <div className="p-4">
        <ErrorBox text={t('Couldn’t load statements')} onRetry={() => void refetch()} />
      </div>
    ) : (
      <CenteredSpinner text={t('Loading...')} />
    );
  }
  const { open, done, statements } = ordered(data);
  const begin = (next: StatementDraft) => leave(() => setDraft(next), STATEMENT_FORM);
  const form = draft && (
    <StatementForm
      // A new draft needs a new form, which takes the draft's text.
      key={draft.statement?.id ?? `${draft.messageId} ${answered}`}
      conversationId={conversationId}
      draft={draft}
      fan={fan}
      onClose={() => {
        refocus.current = '[data-add]';
        setDraft(null);
      }}
    />
  );
  const rowOf = (statement: FanStatement) =>
    draft?.statement?.id === statement.id ? (
      <li key={statement.id} className="py-1.5">
        {form}
      </li>
    ) : (
      <StatementRow
        key={statement.id}
        statement={statement}
        lead={
          statement.due_at !== null && (
            <DoneBox
              statement={statement}
              onChange={(isDone) => {
                refocus.current = `[data-done="${statement.id}"]`;
                setDone(statement, isDone);
              }}
            />
          )
        }
        onShowMessage={onShowMessage}
        onEdit={() => begin({ ...EMPTY, statement, text: statement.text })}
        onRemove={() => setRemoving(statement)}
      />
    );
  return (
    <div ref={root} className="min-h-0 flex-1 overflow-y-auto pb-[env(safe-area-inset-bottom)]">
      <div className="flex flex-col gap-3 px-4 pt-3">
        {failure && <ErrorBox text={failure.text} onRetry={failure.retry} />}
        {draft !== null && draft.statement === null ? (
          form
        ) : (
          <Button data-add onClick={() => begin(EMPTY)} icon={<Plus />}>
            {t('Add Statement')}
          </Button>
        )}
      </div>
      <Section title={t('Promises')} none={t('No promises yet')}>
        {open.map(rowOf)}
      </Section>
      <Section
        title={t('Statements')}
        none={t('No statements yet. Save a message from its menu, or add one above.')}
      >
        {statements.map(rowOf)}
      </Section>
      {done.length > 0 && (
        <Section title={t('Kept Promises')} none="">
          {done.map(rowOf)}
        </Section>
      )}
      {removing && (
        <ConfirmDialog
          title={removing.due_at === null ? t('Remove this statement?') : t('Remove this promise?')}
          text={removing.text}
          confirmLabel={t('Remove')}
          onClose={() => setRemoving(null)}
          onConfirm={() => remove(removing)}
        />
      )}
    </div>
  );
}

interface SectionProps {
  title: string;
  none: string;
  children: ReactNode[];
}

function Section({ title, none, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="px-4 pt-3 pb-1">
      <h4 id={id} className="text-meta font-semibold text-fg-2">
        {title}
      </h4>
      {children.length === 0 ? (
        <p className="mt-1 text-control text-fg-3">{none}</p>
      ) : (
        <ul className="mt-0.5 divide-y divide-line">{children}</ul>
      )}
    </section>
  );
}

interface Ordered {
  /** Open promises, soonest due first. */
  open: FanStatement[];
  /** Kept promises, last kept first. */
  done: FanStatement[];
  /** Statements without a due date, newest first. */
  statements: FanStatement[];
}

/** Groups statements into open promises, kept promises and plain statements. */
function ordered(statements: readonly FanStatement[]): Ordered {
  const by = (field: 'due_at' | 'done_at' | 'created_at') => (a: FanStatement, b: FanStatement) =>
    (a[field] ?? '').localeCompare(b[field] ?? '') || a.id.localeCompare(b.id);
  const promises = statements.filter(({ due_at }) => due_at !== null);
  return {
    open: promises.filter(({ done_at }) => done_at === null).toSorted(by('due_at')),
    done: promises
      .filter(({ done_at }) => done_at !== null)
      .toSorted(by('done_at'))
      .toReversed(),
    statements: statements
      .filter(({ due_at }) => due_at === null)
      .toSorted(by('created_at'))
      .toReversed(),
  };
}
