import type { FanStatement } from '@stagedoor/contract/fans/statements';
import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { dateOf } from '../../lib/text/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { classes } from '../../ui/classes.ts';
import { Menu } from '../../ui/overlay/menu.tsx';
import { dueOf } from './due.ts';

/** The due date of a promise; red once it has passed, unless the promise is done. */
export function DueTime({ at, isDone }: { at: string; isDone: boolean }) {
  const { text, isDue, isToday } = dueOf(at, useNow());
  return (
    <time
      dateTime={at}
      title={exactTimeOf(at)}
      className={classes(
        'font-medium',
        !isDone && isDue && 'text-danger-text',
        !isDone && !isDue && isToday && 'text-warn',
      )}
    >
      {!isDone && isDue ? t('Due {time}', { time: text }) : text}
    </time>
  );
}

interface DoneBoxProps {
  statement: FanStatement;
  onChange: (done: boolean) => void;
}

export function DoneBox({ statement, onChange }: DoneBoxProps) {
  return (
    <label className="touch-target flex h-5 shrink-0 items-center">
      <input
        type="checkbox"
        aria-label={t('Done: {text}', { text: statement.text })}
        checked={statement.done_at !== null}
        onChange={(event) => onChange(event.target.checked)}
        data-done={statement.id}
        className="size-4 accent-accent coarse:size-5"
      />
    </label>
  );
}

interface StatementRowProps {
  statement: FanStatement;
  lead: ReactNode;
  onShowMessage: (messageId: string) => void;
  onEdit: () => void;
  onRemove: () => void;
}

/** A statement or promise with its due date, author and message. */
export function StatementRow(props: StatementRowProps) {
  const { statement, lead, onShowMessage, onEdit, onRemove } = props;
  const { text, due_at, done_at, message_id, author, created_at } = statement;
  return (
    <li className="flex items-start gap-2.5 py-1.5">
      {lead}
      <div className="min-w-0 flex-1">
        <p
          dir="auto"
          className={classes(
            'text-control wrap-anywhere whitespace-pre-wrap',
            done_at !== null && 'text-fg-3 line-through',
          )}
        >
          {text}
        </p>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-meta text-fg-3">
          {due_at !== null && <DueTime at={due_at} isDone={done_at !== null} />}
          <span>{author.codename}</span>
          {due_at === null && (
            <time dateTime={created_at} title={exactTimeOf(created_at)}>
              {dateOf(created_at)}
            </time>
          )}
          {message_id !== null && (
            <button
              type="button"
              onClick={() => onShowMessage(message_id)}
              className="touch-target rounded-chip font-medium text-accent-text hover:underline"
            >
              {t('Show Message')}
            </button>
          )}
        </p>
      </div>
      <Menu
        label={t('Actions for: {text}', { text })}
        className="-mt-1.5 -me-2"
        items={[
          { label: t('Edit'), icon: Pencil, onSelect: onEdit },
          { label: t('Remove'), icon: Trash2, onSelect: onRemove },
        ]}
      />
    </li>
  );
}
