import type { Database, Statement } from '../../db/database.ts';
import {
  FROM_PARTICIPANTS,
  type MessageRow,
  PARTICIPANTS,
  type Participants,
  recordOf,
  selectMessages,
} from './messages.store.ts';
import type { MessageRecord } from './present.ts';

const spanStatement: Statement = {
  name: 'messages_span',
  // One statement, so that the messages and the version come from the same snapshot.
  text: `select ${PARTICIPANTS}, page.* ${FROM_PARTICIPANTS}
    left join lateral (
      ${selectMessages(`(
        (select * from messages where conversation_id = $1 and seq <= $2 order by seq desc limit $3)
        union all
        (select * from messages where conversation_id = $1 and seq > $2 order by seq limit $4)
      )`)}
    ) page on true
    where c.id = $1 order by page.seq desc`,
};

/** Consecutive messages of a conversation, newest first. */
export interface Span {
  readonly people: Participants;
  readonly messages: MessageRecord[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/**
 * Returns the messages on both sides of a `seq`.
 * @param upTo how many messages up to and including the `seq`
 * @param after how many messages after the `seq`
 * @returns null for an unknown conversation
 */
export async function findSpan(
  db: Database,
  conversationId: string,
  seq: number,
  { upTo, after }: { upTo: number; after: number },
): Promise<Span | null> {
  const rows = await db.run<Participants & (MessageRow | { id: null })>(spanStatement, [
    conversationId,
    seq,
    upTo + 1,
    after + 1,
  ]);
  const [people] = rows;
  if (people === undefined) return null;
  const found = rows.flatMap((row) => (row.id === null ? [] : [row]));
  const newer = found.filter((row) => row.seq > seq).slice(-after);
  const older = found.filter((row) => row.seq <= seq);
  return {
    people,
    messages: [...newer, ...older.slice(0, upTo)].map((row) => recordOf(row, people)),
    hasOlder: older.length > upTo,
    hasNewer: found.length - older.length > after,
  };
}
