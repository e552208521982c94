import { runIn } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';

/** The number of recipients examined per transaction. */
const BATCH = 200;

/** Unsends messages, except those that fans have read or bought. @returns the unsent messages */
export type UnsendMessages = (
  tx: Tx,
  adminId: string,
  ids: readonly string[],
) => Promise<Row<'messages', 'conversation_id'>[]>;

/** Marks recipients of a locked campaign as `unsent`, and updates the campaign's counts. */
export async function settleUnsent(
  tx: Tx,
  campaignId: string,
  conversations: readonly string[],
): Promise<void> {
  await runIn(
    tx,
    `with settled as (
      -- With offset 0, PostgreSQL looks up each recipient by its key, and never reads the whole campaign.
      update campaign_recipients r set state = 'unsent' from conversations c cross join lateral (
        select ctid from campaign_recipients where campaign_id = $1 and fan_id = c.fan_id and state = 'sent' offset 0) found
      where c.id = any($2::uuid[]) and r.ctid = found.ctid returning r.variant
    )
    update campaign_variants v set sent = v.sent - counted.fans, unsent = v.unsent + counted.fans
    from (select variant, count(*)::int as fans from settled group by variant) counted
    where v.campaign_id = $1 and v.variant = counted.variant`,
    [campaignId, conversations],
  );
}

/** The outcome of a batch. */
export interface UnsentBatch {
  /** The conversations that lost the message. */
  readonly unsent: readonly string[];
  /** The last fan examined; null before the first. */
  readonly upTo: string | null;
  /** `waits`: some conversations are locked by others; the next batch begins with the first of those conversations. */
  readonly outlook: 'more' | 'waits' | 'done';
}

/**
 * Unsends the next messages of a locked campaign. The recipients' rows and the messages commit together, so that after a crash
 * the database alone is enough to continue.
 * @param after the last fan examined; null before the first
 */
export async function unsendBatch(
  tx: Tx,
  campaignId: string,
  adminId: string,
  after: string | null,
  unsend: UnsendMessages,
): Promise<UnsentBatch> {
  const picked = await runIn<{ fan_id: string; conversation_id: string; message_id: string }>(
    tx,
    `select fan_id, conversation_id, message_id from campaign_recipients
    where campaign_id = $1 and state = 'sent' and ($2::uuid is null or fan_id > $2) order by fan_id limit ${BATCH}`,
    [campaignId, after],
  );
  const last = picked.at(-1);
  if (last === undefined) return { unsent: [], upTo: after, outlook: 'done' };
  const wanted = picked.map(({ conversation_id }) => conversation_id);
  const locked = await idsOf(tx, 'order by id for no key update skip locked', wanted);
  // The messages of erased fans no longer exist.
  const existing = await idsOf(tx, '', wanted);
  const isLocked = ({ conversation_id: id }: { conversation_id: string }) => locked.has(id);
  const busy = picked.findIndex((each) => existing.has(each.conversation_id) && !isLocked(each));
  const messages = picked.filter(isLocked).map(({ message_id }) => message_id);
  const gone = await unsend(tx, adminId, messages);
  const unsent = gone.map(({ conversation_id }) => conversation_id);
  await settleUnsent(tx, campaignId, unsent);
  // The higher version makes clients fetch the conversation again.
  await runIn(tx, 'update conversations set version = version + 1 where id = any($1::uuid[])', [
    unsent,
  ]);
  const upTo = busy === -1 ? last.fan_id : (picked[busy - 1]?.fan_id ?? after);
  return { unsent, upTo, outlook: busy === -1 ? 'more' : 'waits' };
}

async function idsOf(tx: Tx, lock: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const text = `select id from conversations where id = any($1::uuid[]) ${lock}`;
  const rows = await runIn<{ id: string }>(tx, text, [ids]);
  return new Set(rows.map(({ id }) => id));
}
