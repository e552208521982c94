import { withPart } from '../../lib/lazy-loads.ts';
import type { EventTable, EventTools } from './event-tools.ts';

/** Loads the code that updates cached staff notes. If it can't be loaded, no notes are on screen either. */
const loadNotes = () => import('../../messaging/staff-notes/queries.ts');

/** Handles a possible change of the admin's unread mentions. */
export function mentionsChanged({ refetch, refetchSoon }: EventTools): void {
  refetch(['mentions']);
  refetchSoon(['inbox', 'stats']);
}

/** Handlers for events about staff notes and their mentions. */
export const noteEvents = {
  staff_note_saved({ note }, tools) {
    withPart(loadNotes, (notes) => notes.noteSaved(tools.client, note));
    if (note.version > 1 || note.mentions.some(({ id }) => id === tools.adminId))
      mentionsChanged(tools);
  },
  staff_note_deleted({ conversation_id, id }, tools) {
    withPart(loadNotes, (notes) => notes.noteDeleted(tools.client, conversation_id, id));
    mentionsChanged(tools);
  },
  mentions_read(_event, tools) {
    mentionsChanged(tools);
  },
} satisfies Partial<EventTable>;
