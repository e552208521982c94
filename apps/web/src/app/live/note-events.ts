import type { EventHandlers, EventTools } from './event-tools.ts';

/** What shows staff's notes is not part of the first load. Without it nothing is shown that would have to be changed. */
function tellNotes(
  tell: (live: typeof import('../../messaging/staff-notes/queries.ts')) => void,
): void {
  import('../../messaging/staff-notes/queries.ts')
    .then(tell)
    .catch((error: unknown) => console.error('Failed to take in a note', error));
}

/** Which mentions wait for one may have changed. */
export function mentionsChanged({ client, onCountsChanged }: EventTools): void {
  tellNotes((live) => live.mentionsChanged(client));
  onCountsChanged();
}

/** What is told of staff's notes, and of whom they name. */
export const noteEvents = {
  staff_note_saved({ note }, tools) {
    tellNotes((live) => live.noteSaved(tools.client, note));
    if (note.version > 1 || note.mentions.some(({ id }) => id === tools.adminId))
      mentionsChanged(tools);
  },
  staff_note_deleted({ conversation_id, id }, tools) {
    tellNotes((live) => live.noteDeleted(tools.client, conversation_id, id));
    mentionsChanged(tools);
  },
  mentions_read(_event, tools) {
    mentionsChanged(tools);
  },
} satisfies Partial<EventHandlers>;
