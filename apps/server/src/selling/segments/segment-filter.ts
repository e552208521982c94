import type { Database } from '../../db/database.ts';
import { isUuid } from '../../db/database.ts';
import { segmentNotFound } from '../../errors.ts';
import type { ConversationFilter } from '../../inbox/conversations/inbox-page.ts';
import { compileRule } from './compile-rule.ts';
import { findSegment } from './segments.store.ts';

/** Returns the inbox filter for a segment. @throws AppError 404 `segment_not_found` */
export async function segmentFilter(db: Database, id: string): Promise<ConversationFilter> {
  const segment = isUuid(id) ? await findSegment(db.kysely, id) : null;
  if (segment === null) throw segmentNotFound();
  return (add) => compileRule(segment.rule, add);
}
