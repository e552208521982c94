import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { type ComponentProps, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCommands } from '../../lib/commands.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import type { NoteComposerControls, NoteParts } from '../thread/note-parts.ts';
import { ReadOnlyComposer } from './composer-bars.tsx';
import { ComposerMode, type Mode } from './composer-mode.tsx';
import { focusRow } from './focus-row.ts';
import { ReplyBox } from './reply-box.tsx';
import type { ReplyControls } from './reply-controls.ts';

/** Lets the rest of the pane control the reply or note being written. */
export interface WritingControls extends Omit<ReplyControls, 'focus'> {
  editNote: (note: StaffNote) => void;
}

interface WritingAreaProps extends Omit<ComponentProps<typeof ReplyBox>, 'ref' | 'onActivate'> {
  canWrite: boolean;
  notes: NoteParts;
  notesFailed: boolean;
  onRetryNotes: () => void;
  ref: Ref<WritingControls>;
}

/**
 * The composer: a reply, or a note that only staff see. Each keeps its text while the other is shown, and they share no sending
 * code. A conversation with a begun note opens with it, so that its text can't be mistaken for a reply.
 */
export function WritingArea(props: WritingAreaProps) {
  const { canWrite, notes, notesFailed, onRetryNotes, ref, ...replyProps } = props;
  const { conversationId, fanName, onSent } = props;
  const [mode, setMode] = useState<Mode>(() => (notes.isBegun(conversationId) ? 'note' : 'reply'));
  const [editing, setEditing] = useState<StaffNote | null>(null);
  const [noteTakesFocus, setNoteTakesFocus] = useState(false);
  const reply = useRef<ReplyControls>(null);
  const note = useRef<NoteComposerControls>(null);

  /** Switches synchronously, so that the new field can be focused right away. */
  const turnTo = (next: Mode) => flushSync(() => setMode(next));
  const writeNote = () => {
    setNoteTakesFocus(true);
    turnTo('note');
    // In case the note is already shown.
    note.current?.focus();
  };
  useImperativeHandle(ref, () => ({
    replyTo(target) {
      turnTo('reply');
      reply.current?.replyTo(target);
    },
    takeBack(message) {
      turnTo('reply');
      reply.current?.takeBack(message);
    },
    addFiles(files) {
      turnTo('reply');
      reply.current?.addFiles(files);
    },
    leave() {
      if (mode === 'reply' && reply.current) reply.current.leave();
      else focusRow();
    },
    editNote(wanted) {
      setEditing(wanted);
      writeNote();
    },
  }));
  useCommands([
    {
      id: 'write_note',
      title: t('Write Staff Note'),
      section: t('Conversation'),
      keys: ['m'],
      run: writeNote,
    },
  ]);
  return (
    <footer
      className={classes(
        'shrink-0 border-t pt-1.5 max-md:pt-1 pb-[max(12px,env(safe-area-inset-bottom))] max-md:pb-[max(8px,env(safe-area-inset-bottom))]',
        mode === 'note' ? 'border-warn/40 bg-warn-bg' : 'border-line bg-surface',
      )}
    >
      <div className="mx-auto w-full max-w-[760px] px-4 max-md:flex max-md:flex-wrap max-md:items-end max-md:gap-1 max-md:ps-1 max-md:pe-3">
        {notesFailed && (
          <div className="mb-1.5 max-md:basis-full">
            <ErrorBox text={t('Couldn’t load staff notes')} onRetry={onRetryNotes} />
          </div>
        )}
        <ComposerMode
          mode={mode}
          onChange={(next) => {
            setNoteTakesFocus(false);
            setMode(next);
          }}
          onChosen={(chosen) => {
            if (chosen === 'note') writeNote();
            else reply.current?.focus();
          }}
        />
        <div hidden={mode === 'note'} className="min-w-0 flex-1">
          {canWrite ? (
            <ReplyBox ref={reply} {...replyProps} onActivate={() => turnTo('reply')} />
          ) : (
            <ReadOnlyComposer />
          )}
        </div>
        <div hidden={mode === 'reply'} className="min-w-0 flex-1">
          {mode === 'note' &&
            notes.composer({
              conversationId,
              fanName,
              editing,
              takesFocus: noteTakesFocus,
              onStopEditing: () => setEditing(null),
              onAdded: onSent,
              onEscape: focusRow,
              ref: note,
            })}
        </div>
      </div>
    </footer>
  );
}
