import { type FanNotes, getNotes, updateNotes } from '@stagedoor/contract/fans/fans';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { changedTexts, type NotesEdit } from './merge.ts';

/**
 * Returns the query for the profile notes of a conversation's fan. Changes emit no event, so the notes are refetched on each
 * opening.
 */
export const notesOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['profileNotes', conversationId],
    queryFn: async ({ signal }): Promise<FanNotes> =>
      (await call(getNotes, { params: { id: conversationId }, signal })).data,
    staleTime: 0,
  });

/** Saves the changed fields, unless the notes were saved by someone else since the edit began. */
export async function saveNotes(conversationId: string, edit: NotesEdit): Promise<FanNotes> {
  const body = { ...changedTexts(edit), version: edit.base.version };
  return (await call(updateNotes, { params: { id: conversationId }, body })).data;
}
