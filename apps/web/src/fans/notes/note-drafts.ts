import { createStoredInput } from '../../lib/server/stored.ts';
import type { NotesEdit } from './merge.ts';

/** Unsaved profile notes, by conversation. */
export const noteDrafts = createStoredInput<NotesEdit>('note_drafts');
