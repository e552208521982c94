import type { EventHandlers, EventTools } from './event-tools.ts';

/** Runs an update of the staff notes' cache. Their code is lazy; if it fails to load, there are no notes on screen to update. */
function withNotes(
  update: (live: typeof import('../../messaging/staff-notes/queries.ts')) => void,
): void {
  import('../../messaging/staff-notes/queries.ts')
    .then(update)
    .catch((error: unknown) => console.error('Failed to take in a note', error));
}

/** Handles a possible change of the admin's unread mentions. */
export function mentionsChanged({ client, onCountsChanged }: EventTools): void {
  withNotes((live) => live.mentionsChanged(client));
  onCountsChanged();
}

/** Handlers for events about staff notes and their mentions. */
export const noteEvents = {
  staff_note_saved({ note }, tools) {
    withNotes((live) => live.noteSaved(tools.client, note));
    if (note.version > 1 || note.mentions.some(({ id }) => id === tools.adminId))
      mentionsChanged(tools);
  },
  staff_note_deleted({ conversation_id, id }, tools) {
    withNotes((live) => live.noteDeleted(tools.client, conversation_id, id));
    mentionsChanged(tools);
  },
  mentions_read(_event, tools) {
    mentionsChanged(tools);
  },
} satisfies Partial<EventHandlers>;
