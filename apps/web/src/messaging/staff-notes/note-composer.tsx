import { uuid } from '@stagedoor/browser/uuid';
import { STAFF_NOTE_MAX_CHARS, type StaffNote } from '@stagedoor/contract/messaging/staff-notes';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MessageSquareLock, Pencil, X } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useRef, useSyncExternalStore } from 'react';
import { errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { CharactersLeft } from '../../ui/form/characters-left.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MentionField, type MentionFieldControls } from './mention-field.tsx';
import { toStored, toWritten } from './mention-writing.ts';
import { noteTexts, writeNoteText } from './note-texts.ts';
import { addNote, changeNote, teammatesOptions } from './queries.ts';

interface NoteComposerProps {
  conversationId: string;
  fanName: string;
  /** The note being edited; null for a new one. */
  editing: StaffNote | null;
  takesFocus: boolean;
  onStopEditing: () => void;
  onAdded: () => void;
  onEscape: () => void;
  ref: Ref<MentionFieldControls>;
}

/** The form for a staff note. It shares no text, form or API call with the reply, so that no key can send a note to a fan. */
export function NoteComposer(props: NoteComposerProps) {
  const { conversationId, fanName, editing, takesFocus, onStopEditing, onAdded } = props;
  const { onEscape, ref } = props;
  const client = useQueryClient();
  const field = useRef<MentionFieldControls>(null);
  const begun = useNoteText(
    editing?.id ?? conversationId,
    editing === null ? '' : toWritten(editing.content, editing.mentions),
  );
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);

  const { text } = begun;
  const left = STAFF_NOTE_MAX_CHARS - text.trim().length;
  const saving = useMutation({
    mutationFn: async (written: string) => {
      const people = written.includes('@') ? await client.fetchQuery(teammatesOptions) : [];
      const content = toStored(written.trim(), [...(editing?.mentions ?? []), ...people]);
      if (editing) return changeNote(client, editing, content);
      const clientId = noteTexts.read(conversationId)?.clientId ?? uuid();
      return addNote(client, conversationId, { clientId, content });
    },
    onSuccess: (_stored, written) => {
      if (editing) return;
      begun.settle(written);
      onAdded();
    },
  });
  const canSave = text.trim() !== '' && left >= 0 && !saving.isPending;
  const save = () => {
    if (canSave)
      saving.mutate(text, { onSuccess: () => editing && begun.isStill(text) && stopEditing() });
  };
  const stopEditing = () => {
    begun.forget();
    onStopEditing();
  };
  const failure = editing ? t('Couldn’t save the note') : t('Couldn’t add the note');
  const isChanged = editing !== null && text !== toWritten(editing.content, editing.mentions);
  return (
    <>
      <div className="col-span-2">
        {editing !== null && (
          <div className="mb-1.5 flex items-center gap-2.5 rounded-control bg-surface py-0.5 pe-0.5 ps-2.5 text-control text-warn">
            <Pencil />
            <span className="min-w-0 flex-1">{t('Editing your note')}</span>
            <IconButton label={t('Cancel Editing')} onClick={stopEditing} icon={<X />} />
          </div>
        )}
        {saving.error && (
          <div className="mb-1.5">
            <ErrorBox text={errorText(saving.error, failure)} onRetry={save} />
          </div>
        )}
      </div>
      <form
        className="order-2"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="flex items-end gap-1 rounded-card border border-warn bg-surface p-1 max-md:p-0.5 focus-within:ring-1 focus-within:ring-warn">
          <MentionField
            ref={field}
            text={text}
            onChange={begun.change}
            label={t('Note about {name}, visible only to staff', { name: fanName })}
            placeholder={t('Add a note for staff...')}
            isInvalid={left < 0}
            onEnter={save}
            // Escape does not discard unsaved changes; only a button does.
            onEscape={editing !== null && !isChanged ? stopEditing : onEscape}
          />
          <CharactersLeft text={text} max={STAFF_NOTE_MAX_CHARS} />
          <Button
            type="submit"
            busy={saving.isPending}
            aria-disabled={!canSave || undefined}
            className="bg-warn! text-warn-bg! hover:opacity-90 aria-disabled:bg-surface-2! aria-disabled:text-fg-3!"
            variant="ghost"
            icon={<MessageSquareLock />}
          >
            {editing === null ? t('Add Note') : t('Save Note')}
          </Button>
        </div>
      </form>
    </>
  );
}

/**
 * Manages the note being written. Stores each change at once, and follows changes of the stored text in other tabs.
 * @param id the conversation's id for a new note, the note's id for an edit
 * @param otherwise the text if none is stored
 */
function useNoteText(id: string, otherwise: string) {
  const text = useSyncExternalStore(
    noteTexts.subscribe,
    () => noteTexts.read(id)?.text ?? otherwise,
  );
  return {
    text,
    change: (next: string) => writeNoteText(id, next === otherwise ? null : next),
    /** Removes the text that was saved, and keeps what was typed since. */
    settle(sent: string) {
      const written = noteTexts.read(id)?.text ?? '';
      const rest = written.startsWith(sent) ? written.slice(sent.length).trimStart() : written;
      writeNoteText(id, rest === '' ? null : rest);
    },
    /** Returns whether the text is still the one that was saved. */
    isStill: (sent: string) => (noteTexts.read(id)?.text ?? otherwise) === sent,
    forget: () => writeNoteText(id, null),
  };
}
