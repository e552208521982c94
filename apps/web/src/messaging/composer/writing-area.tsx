import { lazyPart } from '@stagedoor/browser/lazy-part';
import type { StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { Suspense, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCommands } from '../../lib/commands.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import type { MentionFieldControls } from '../staff-notes/mention-field.tsx';
import { noteTexts } from '../staff-notes/note-texts.ts';
import { ReadOnlyComposer } from './composer-bars.tsx';
import { ComposerMode, type Mode } from './composer-mode.tsx';
import { focusRow } from './focus-row.ts';
import { ReplyBox, type ReplyControls } from './reply-box.tsx';
import { ScheduledChip } from './scheduled-chip.tsx';

const NoteComposer = lazyPart(
  async () => (await import('../staff-notes/note-composer.tsx')).NoteComposer,
);

/**
 * The composer for a reply, or for a note that only staff see. Both keep their texts when the mode changes, and they share no
 * sending code. If there is an unfinished note, the conversation opens in note mode, so that the note isn't mistaken for a reply.
 */
export function WritingArea() {
  const { id, fanName, thread, writing } = useOpenConversation();
  const canWrite = useAdmin().permissions.can_manage_messages;
  const [mode, setMode] = useState<Mode>(() => (noteTexts.read(id) === null ? 'reply' : 'note'));
  const [editing, setEditing] = useState<StaffNote | null>(null);
  const [noteTakesFocus, setNoteTakesFocus] = useState(false);
  const reply = useRef<ReplyControls>(null);
  const note = useRef<MentionFieldControls>(null);

  /** Switches synchronously, so that the new field can be focused right away. */
  const turnTo = (next: Mode) => flushSync(() => setMode(next));
  const writeNote = () => {
    setNoteTakesFocus(true);
    turnTo('note');
    // Only needed if the note is already shown: a new field focuses itself.
    note.current?.focus();
  };
  useImperativeHandle(writing, () => ({
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
    {
      id: 'escape',
      title: t('Back to List'),
      section: t('Conversation'),
      keys: ['Escape'],
      run: () => (mode === 'reply' && reply.current ? reply.current.leave() : focusRow()),
      keysOnly: true,
    },
  ]);
  return (
    <footer
      className={classes(
        'shrink-0 border-t pt-2 max-md:pt-1 pb-[max(12px,env(safe-area-inset-bottom))] max-md:pb-[max(8px,env(safe-area-inset-bottom))]',
        mode === 'note' ? 'border-warn/40 bg-warn-bg' : 'border-line bg-surface',
      )}
    >
      <div className="@container relative mx-auto w-full max-w-[760px] min-[1600px]:max-w-[960px] px-4 max-md:ps-1 max-md:pe-3">
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-end gap-x-1.5 max-md:gap-x-1">
          {canWrite && <ScheduledChip />}
          <ComposerMode
            mode={mode}
            onChange={(next) => {
              setNoteTakesFocus(false);
              setMode(next);
            }}
            onChosen={(chosen) => {
              if (chosen === 'note') return writeNote();
              turnTo('reply');
              reply.current?.focus();
            }}
          />
          {canWrite ? (
            <ReplyBox ref={reply} isHidden={mode === 'note'} onActivate={() => turnTo('reply')} />
          ) : (
            mode === 'reply' && <ReadOnlyComposer />
          )}
          {mode === 'note' && (
            <Suspense fallback={<div className="order-2 h-[42px]" />}>
              <NoteComposer
                key={editing?.id}
                ref={note}
                conversationId={id}
                fanName={fanName}
                editing={editing}
                takesFocus={noteTakesFocus}
                onStopEditing={() => setEditing(null)}
                onAdded={() => thread.current?.scrollToEnd()}
                onEscape={focusRow}
              />
            </Suspense>
          )}
        </div>
      </div>
    </footer>
  );
}
