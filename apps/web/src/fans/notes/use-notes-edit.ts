import type { FanNotes } from '@stagedoor/contract/fans/fans';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../lib/server/api.ts';
import { hasChanges, type NoteField, type NotesEdit, rebase, textsOf } from './merge.ts';
import { noteDrafts } from './note-drafts.ts';
import { notesOptions, saveNotes } from './queries.ts';

/** How long 'Saved successfully' is shown. Milliseconds. */
const SAVED_MS = 1_500;

export type NotesPhase = 'view' | 'edit' | 'saving' | 'saved';

/** Manages an edit of a fan's profile notes. Unsaved changes survive a reload. */
export function useNotesEdit(conversationId: string) {
  const client = useQueryClient();
  const [edit, setEdit] = useState<NotesEdit | null>(() => noteDrafts.read(conversationId));
  const [phase, setPhase] = useState<NotesPhase>(edit === null ? 'view' : 'edit');
  const [hasFailed, setFailed] = useState(false);
  const [conflicts, setConflicts] = useState<readonly NoteField[]>([]);
  const isDirty = edit !== null && phase !== 'saved' && hasChanges(edit);

  useEffect(() => {
    if (phase !== 'saved') return;
    const timer = setTimeout(() => {
      setPhase('view');
      setEdit(null);
    }, SAVED_MS);
    return () => clearTimeout(timer);
  }, [phase]);

  const keep = (next: NotesEdit) => {
    setEdit(next);
    noteDrafts.write(conversationId, hasChanges(next) ? next : null);
  };

  const begin = (notes: FanNotes) => {
    setEdit({ base: notes, texts: textsOf(notes) });
    setFailed(false);
    setConflicts([]);
    setPhase('edit');
  };

  const discard = () => {
    noteDrafts.write(conversationId, null);
    setEdit(null);
    setConflicts([]);
    setPhase('view');
  };

  const attempt = async (wanted: NotesEdit): Promise<void> => {
    try {
      const saved = await saveNotes(conversationId, wanted);
      client.setQueryData(notesOptions(conversationId).queryKey, saved);
      noteDrafts.write(conversationId, null);
      setPhase('saved');
    } catch (error) {
      const stored = storedNow(error);
      if (stored === null) {
        console.error('Failed to update notes', error);
        setFailed(true);
        setPhase('edit');
        return;
      }
      client.setQueryData(notesOptions(conversationId).queryKey, stored);
      const rebased = rebase(wanted, stored);
      keep(rebased.edit);
      setConflicts(rebased.conflicts);
      // The teammate changed only other fields, so both changes can be saved.
      if (rebased.conflicts.length === 0) await attempt(rebased.edit);
      else setPhase('edit');
    }
  };

  return {
    edit,
    phase,
    isDirty,
    hasFailed,
    conflicts,
    begin,
    discard,
    write(field: NoteField, text: string) {
      if (edit) keep({ ...edit, texts: { ...edit.texts, [field]: text } });
    },
    /** Keeps the user's texts where a teammate changed the same fields, and saves them. */
    saveMine() {
      if (!edit) return;
      setConflicts([]);
      setPhase('saving');
      void attempt(edit);
    },
    /** Takes the teammate's texts in these fields. */
    takeTheirs() {
      if (!edit) return;
      const theirs = Object.fromEntries(conflicts.map((field) => [field, edit.base[field]]));
      keep({ ...edit, texts: { ...edit.texts, ...theirs } });
      setConflicts([]);
    },
    save() {
      if (!edit || phase !== 'edit' || conflicts.length > 0) return;
      setFailed(false);
      setPhase('saving');
      void attempt(edit);
    },
  };
}

/** Returns the teammate's version if a save failed because of a conflict with it; otherwise null. */
function storedNow(error: unknown): FanNotes | null {
  const isConflict = error instanceof ApiError && error.code === 'notes_conflict';
  return isConflict && error.current ? (error.current as FanNotes) : null;
}
