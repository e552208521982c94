import { FILE_MAX_BYTES } from '@stagedoor/contract/media';
import type { Database } from '../../db/database.ts';
import { rateLimited } from '../../errors.ts';
import type { FanRef } from '../../fans/fans/fans.store.ts';
import { tooMuch } from '../../media/uploads.service.ts';
import { sumUploads } from '../../media/uploads.store.ts';

/** The bytes that one fan can upload within 24 hours, even without sending them. Limited because all fans share the disk. */
export const FAN_DAY_BYTES = 5 * FILE_MAX_BYTES;
/** The maximum number of uploads that a fan can have in progress. */
const AT_ONCE = 8;
/** The time after which to retry while other uploads are in progress. Seconds. */
const RETRY_AFTER = 10;

/** A fan's uploads in progress. */
interface UnderWay {
  uploads: number;
  /** The maximum number of bytes that these uploads can add in total. */
  bytes: number;
}

/**
 * Limits each fan's uploads. An upload counts with its declared size from the start; an upload without a declared size counts as
 * the full allowance.
 * @returns a function that runs an upload and passes it the number of bytes it may use
 * @throws AppError 413 `payload_too_large` when too little is left for today; 429 `rate_limited` with too many at once, or when
 * other uploads in progress may use up the rest
 */
export function createUploadAllowance(db: Database) {
  const all = new Map<string, UnderWay>();
  return async <T>(
    fan: FanRef,
    declaredBytes: number | null,
    upload: (maxBytes: number) => Promise<T>,
  ): Promise<T> => {
    const mine = all.get(fan.id) ?? { uploads: 0, bytes: 0 };
    if (mine.uploads >= AT_ONCE) throw rateLimited(RETRY_AFTER);
    // Read before stored uploads are summed: an upload that ends in between then counts twice, rather than not at all.
    const others = mine.bytes;
    const bytes = declaredBytes ?? FAN_DAY_BYTES;
    all.set(fan.id, mine);
    mine.uploads += 1;
    mine.bytes += bytes;
    try {
      const target = { conversationId: fan.conversation_id, ownerId: fan.id };
      const left = FAN_DAY_BYTES - (await sumUploads(db, target));
      const needed = declaredBytes ?? 1;
      if (left < needed) throw tooMuch();
      if (left - others < needed) throw rateLimited(RETRY_AFTER);
      return await upload(left - others);
    } finally {
      mine.uploads -= 1;
      mine.bytes -= bytes;
      if (mine.uploads === 0) all.delete(fan.id);
    }
  };
}
