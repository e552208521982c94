import type { EndpointParsed } from '@stagedoor/contract/endpoint';
import type { readMentions, Teammate } from '@stagedoor/contract/messaging/mentions';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { pageOf, timeCursors } from '../../http/cursor.ts';
import type { AdminActor } from '../../http/route.ts';
import * as store from './mentions.store.ts';
import { presentNote } from './staff-notes.store.ts';

const cursors = timeCursors(3);

export type MentionsService = ReturnType<typeof createMentionsService>;

/** Lists the notes that mention an admin, and marks the mentions as read. */
export function createMentionsService({ db, publish, outbox }: Core) {
  return {
    /** Returns all active staff. */
    teammates: (): Promise<Teammate[]> => store.findTeammates(db),

    /** Returns a page of the caller's mentions, newest first. @throws AppError 400 for an invalid cursor */
    async list(
      { admin }: AdminActor,
      { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
    ) {
      const before = cursor === undefined ? null : cursors.decode(cursor);
      const rows = await store.findMentions(db, admin.id, before, limit + 1);
      const { page, next_cursor } = pageOf(rows, limit, ({ at, id }) =>
        cursors.encode({ at: at.toISOString(), id }),
      );
      return { data: page.map(present), next_cursor };
    },

    /** Marks the caller's mentions as read: by default, all. @returns how many are still unread */
    async read(
      { admin }: AdminActor,
      { note_ids, up_to }: EndpointParsed<typeof readMentions>['body'],
    ): Promise<number> {
      const known = note_ids?.filter(isUuid) ?? null;
      const outboxId = await store.markMentionsRead(db, admin.id, known, up_to ?? null);
      if (outboxId !== null)
        await outbox.emit([outboxId], () => publish.mentionsRead({ admin_id: admin.id }));
      return store.countUnread(db, admin.id);
    },

    /** Re-emits events that the originating node failed to emit. */
    reemitters: { mentions_read: publish.mentionsRead },
  };
}

const present = (row: store.MentionRow) => ({
  note: presentNote(row),
  fan: row.fan,
  read_at: row.read_at?.toISOString() ?? null,
});
