import {
  type CampaignRecipient,
  RECIPIENT_EXPORT_MAX,
} from '@stagedoor/contract/selling/campaigns';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import { toCsv } from '../../http/csv.ts';
import { cursorCodec } from '../../http/cursor.ts';
import type { AdminActor } from '../../http/route.ts';
import { listRecipients } from './recipients.store.ts';
import { requireVisible } from './visible-campaign.ts';

/** The columns of an export. */
const CSV_HEADER = [
  'fan_id',
  'conversation_id',
  'display_name',
  'state',
  'reason',
  'message_id',
  'variant',
] as const;

interface RecipientFilters {
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
}

const recipientCursors = cursorCodec({ fan: z.uuid() });

export type RecipientsService = ReturnType<typeof createRecipientsService>;

/** Who got a campaign's message, and who did not, and why. */
export function createRecipientsService(db: Database) {
  return {
    /** Returns a page of a campaign's recipients. @throws AppError 404 */
    async list(
      actor: AdminActor,
      id: string,
      query: RecipientFilters & { readonly limit: number; readonly cursor?: string | undefined },
    ): Promise<{ data: CampaignRecipient[]; next_cursor: string | null }> {
      await requireVisible(db, actor, id);
      const { limit, cursor } = query;
      const after = cursor === undefined ? null : recipientCursors.decode(cursor).fan;
      const found = await listRecipients(db, id, {
        ...filtersOf(query),
        after,
        limit: limit + 1,
      });
      const data = found.slice(0, limit);
      const last = found.length > limit ? data.at(-1) : undefined;
      return {
        data,
        next_cursor: last === undefined ? null : recipientCursors.encode({ fan: last.fan_id }),
      };
    },

    /** Returns a campaign's recipients as CSV. @throws AppError 404 */
    async csv(actor: AdminActor, id: string, query: RecipientFilters): Promise<string> {
      await requireVisible(db, actor, id);
      const first = { ...filtersOf(query), after: null, limit: RECIPIENT_EXPORT_MAX };
      const found = await db.readStale((source) => listRecipients(source, id, first));
      const rows = found.map((recipient) => CSV_HEADER.map((column) => recipient[column]));
      return toCsv(CSV_HEADER, rows);
    },
  };
}

/** Blank filters count as none. */
const filtersOf = ({ state, reason }: RecipientFilters) => ({
  state: state || null,
  reason: reason || null,
});
