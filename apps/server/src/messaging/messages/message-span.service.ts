import { MESSAGES_AROUND, type Message } from '@stagedoor/contract/messaging/messages';
import { type Database, isUuid } from '../../db/database.ts';
import { conversationNotFound } from '../../errors.ts';
import type { AdminActor } from '../../http/route.ts';
import type { MediaLinks } from '../../media/media-links.ts';
import { findSpan } from './message-span.store.ts';
import { requireSeq } from './messages.store.ts';
import { presentForStaff } from './present.ts';

interface SpanRequest {
  readonly conversationId: string;
  readonly messageId: string;
  /** How many messages to return after the given one; null to return the given one and {@link MESSAGES_AROUND} on either side. */
  readonly limit: number | null;
}

/**
 * Returns messages after or around a given one, newest first, and whether there are older and newer ones.
 * @throws AppError 404 for the conversation or the message
 */
export async function listFrom(
  { db, links }: { db: Database; links: MediaLinks },
  actor: AdminActor,
  { conversationId, messageId, limit }: SpanRequest,
): Promise<{ messages: Message[]; hasMore: boolean; hasNewer: boolean; version: number }> {
  if (!isUuid(conversationId)) throw conversationNotFound();
  const seq = await requireSeq(db, conversationId, messageId);
  const [upTo, after] = limit === null ? [MESSAGES_AROUND + 1, MESSAGES_AROUND] : [0, limit];
  const span = await findSpan(db, conversationId, seq, { upTo, after });
  if (span === null) throw conversationNotFound();
  return {
    messages: span.messages.map((message) => presentForStaff(message, actor, links)),
    hasMore: span.hasOlder,
    hasNewer: span.hasNewer,
    version: span.people.version,
  };
}
