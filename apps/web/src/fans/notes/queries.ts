import { type FanNotes, getNotes, updateNotes } from '@stagedoor/contract/fans/fans';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { changedTexts, type NotesEdit } from './merge.ts';

/** What staff note about a conversation's fan. Nothing tells of its changes: each opening asks again. */
export const notesOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['notes', conversationId],
    queryFn: async ({ signal }): Promise<FanNotes> =>
      (await call(getNotes, { params: { id: conversationId }, signal })).data,
    staleTime: 0,
  });

/** Saves what an edit changed, unless somebody saved since it began. */
export async function saveNotes(conversationId: string, edit: NotesEdit): Promise<FanNotes> {
  const body = { ...changedTexts(edit), version: edit.base.version };
  return (await call(updateNotes, { params: { id: conversationId }, body })).data;
}
