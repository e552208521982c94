import type { FanNotes } from '@stagedoor/contract/fans';
import { useQuery } from '@tanstack/react-query';
import { Check, MoveHorizontal, Pencil, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { isComposing } from '../../lib/keyboard.ts';
import { guardLeaving, leave } from '../../lib/leave-guard.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { TextAreaField, TextField } from '../../ui/text-field.tsx';
import { NOTE_FIELDS, type NoteField } from './merge.ts';
import { nextWidth } from './panel-width.ts';
import { notesOptions } from './queries.ts';
import { ResizeHandle } from './resize-handle.tsx';
import { useNotesEdit } from './use-notes-edit.ts';
import { useSwipeAway } from './use-swipe-away.ts';

type NotesEditing = ReturnType<typeof useNotesEdit>;

interface NotesPanelProps {
  conversationId: string;
  fanName: string;
  /** Beside the thread, over it, or instead of it. */
  place: 'docked' | 'over' | 'full';
  width: number;
  onResize: (width: number) => void;
  /** Whether somebody opened it just now: it then takes the focus. */
  takesFocus: boolean;
  onClose: () => void;
}

/** What staff note about a fan. Nothing unsaved is lost without a question. */
export function NotesPanel(props: NotesPanelProps) {
  const { conversationId, fanName, place, width, onResize, takesFocus, onClose } = props;
  const panel = useRef<HTMLElement>(null);
  const titleId = useId();
  const notes = useQuery(notesOptions(conversationId));
  const editing = useNotesEdit(conversationId);
  const { isDirty, discard } = editing;
  // What was to be done when unsaved changes stood in its way.
  const [blocked, setBlocked] = useState<(() => void) | null>(null);
  useEffect(() => {
    if (isDirty) return guardLeaving((go) => setBlocked(() => go));
  }, [isDirty]);
  useEffect(() => {
    if (takesFocus) panel.current?.focus();
  }, [takesFocus]);
  const { phase } = editing;
  useEffect(() => {
    // The button that had the focus went with the mode before.
    if (document.activeElement !== document.body) return;
    const target = phase === 'edit' ? panel.current?.querySelector('input') : panel.current;
    if (phase !== 'saved') target?.focus();
  }, [phase]);
  const close = () => leave(onClose);
  const swipe = useSwipeAway(place === 'full', close);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return;
    if ((event.target as HTMLElement).closest('dialog')) return;
    event.preventDefault();
    close();
  };
  return (
    <aside
      ref={panel}
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      {...swipe}
      style={place === 'full' ? undefined : { width }}
      className={classes(
        'flex flex-col bg-surface focus-visible:-outline-offset-2',
        place === 'docked' && 'relative h-full shrink-0 border-l border-line',
        place === 'over' &&
          'absolute inset-y-0 right-0 z-30 max-w-full border-l border-line shadow-overlay',
        place === 'full' && 'fixed inset-0 z-40 touch-pan-y pt-[env(safe-area-inset-top)]',
      )}
    >
      {place !== 'full' && <ResizeHandle width={width} onResize={onResize} />}
      <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
        <h3 id={titleId} className="min-w-0 flex-1 truncate text-base font-semibold">
          Notes <span className="font-normal text-fg-3">on {fanName}</span>
        </h3>
        {editing.phase === 'view' && notes.data && (
          <Button
            variant="ghost"
            onClick={() => editing.begin(notes.data)}
            icon={<Pencil aria-hidden="true" size={14} strokeWidth={1.75} />}
          >
            Edit
          </Button>
        )}
        {place !== 'full' && (
          <IconButton label="Change width" onClick={() => onResize(nextWidth(width))}>
            <MoveHorizontal aria-hidden="true" size={16} strokeWidth={1.75} />
          </IconButton>
        )}
        <IconButton label="Close notes" onClick={close} className="coarse:size-11">
          <X aria-hidden="true" size={16} strokeWidth={1.75} />
        </IconButton>
      </header>
      {editing.edit !== null ? (
        <NotesForm editing={editing} onCancel={() => leave(discard)} />
      ) : notes.data ? (
        <NotesView notes={notes.data} />
      ) : notes.isError && !notes.isFetching ? (
        <div className="p-4">
          <ErrorBox text="Failed to fetch notes" onRetry={() => void notes.refetch()} />
        </div>
      ) : (
        <CenteredSpinner text="Loading notes..." />
      )}
      {blocked && (
        <ConfirmDialog
          title="Discard changes?"
          text={`What you changed in the notes on ${fanName} is not saved.`}
          confirmLabel="Discard"
          onCancel={() => setBlocked(null)}
          onConfirm={() => {
            setBlocked(null);
            discard();
            blocked();
          }}
        />
      )}
    </aside>
  );
}

function NotesView({ notes }: { notes: FanNotes }) {
  return (
    <dl className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
      {NOTE_FIELDS.map(({ name, label }) => (
        <div key={name}>
          <dt className="text-meta font-medium text-fg-3">{label}</dt>
          <dd className="mt-0.5 wrap-anywhere whitespace-pre-wrap">
            {notes[name] === '' ? <span className="text-fg-3">Not noted</span> : notes[name]}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function NotesForm({ editing, onCancel }: { editing: NotesEditing; onCancel: () => void }) {
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
            A colleague saved these notes since you opened them. Choose what shall stand, then save
            again.
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
        {hasFailed && phase === 'edit' && <ErrorBox text="Failed to update notes" onRetry={save} />}
        <div className="flex items-center justify-end gap-2">
          {phase === 'saved' && (
            <p role="status" className="mr-auto flex items-center gap-1.5 text-control text-good">
              <Check aria-hidden="true" size={16} strokeWidth={2} />
              Saved successfully
            </p>
          )}
          <Button onClick={onCancel} disabled={isLocked}>
            Cancel
          </Button>
          <Button
            variant="primary"
            type="submit"
            busy={phase === 'saving'}
            disabled={phase === 'saved' || conflicts.length > 0}
          >
            Save
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

/** What a colleague wrote into a field, to choose it or to keep what stands above it. */
function Conflict({ name, label, theirs, onTheirs, onMine }: ConflictProps) {
  const id = useId();
  return (
    <fieldset
      aria-labelledby={id}
      data-field={name}
      className="rounded-control border border-line bg-surface-2 p-2.5"
    >
      <p id={id} className="text-meta font-medium text-fg-2">
        {label} as your colleague saved it
      </p>
      <p className="mt-1 max-h-40 overflow-y-auto text-control wrap-anywhere whitespace-pre-wrap">
        {theirs === '' ? <span className="text-fg-3">Empty</span> : theirs}
      </p>
      <div className="mt-2 flex gap-2">
        <Button size="small" onClick={onTheirs}>
          Use theirs
        </Button>
        <Button size="small" onClick={onMine}>
          Keep mine
        </Button>
      </div>
    </fieldset>
  );
}
