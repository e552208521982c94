import { Readable } from 'node:stream';
import type { CampaignRecipient } from '@stagedoor/contract/selling/campaigns';
import * as z from 'zod/mini';
import type { Database } from '../../db/database.ts';
import { type CsvCell, streamCsv } from '../../http/csv.ts';
import { cursorCodec, pageOf } from '../../http/cursor.ts';
import type { AdminActor } from '../../http/route.ts';
import { listRecipients, type RecipientsQuery } from './recipients.store.ts';
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
  'read',
  'replied',
  'purchases',
  'revenue',
] as const;

/** The number of rows of an export that are read and held in memory at a time. */
const EXPORT_BATCH = 5_000;

interface RecipientFilters {
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
}

const recipientCursors = cursorCodec({ fan: z.uuid() });

export type RecipientsService = ReturnType<typeof createRecipientsService>;

/** Lists a campaign's recipients: who got the message, and who didn't and why. */
export function createRecipientsService(db: Database) {
  async function* batchesOf(id: string, query: RecipientFilters): AsyncGenerator<CsvCell[][]> {
    for (let after: string | null = null; ; ) {
      const page: RecipientsQuery = { ...filtersOf(query), after, limit: EXPORT_BATCH };
      const found: CampaignRecipient[] = await db.readStale((source) =>
        listRecipients(source, id, page),
      );
      yield found.map((recipient) => CSV_HEADER.map((column) => recipient[column]));
      after = found.at(-1)?.fan_id ?? null;
      if (found.length < EXPORT_BATCH) return;
    }
  }

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
      const { page, next_cursor } = pageOf(found, limit, ({ fan_id }) =>
        recipientCursors.encode({ fan: fan_id }),
      );
      return { data: page, next_cursor };
    },

    /** Streams a campaign's recipients who match the filters, as CSV. @throws AppError 404 */
    async csv(actor: AdminActor, id: string, query: RecipientFilters): Promise<Readable> {
      await requireVisible(db, actor, id);
      return Readable.from(streamCsv(CSV_HEADER, batchesOf(id, query)));
    },
  };
}

/** Treats a blank filter as no filter. */
const filtersOf = ({ state, reason }: RecipientFilters) => ({
  state: state || null,
  reason: reason || null,
});
