import { FILE_MAX_BYTES } from '@stagedoor/contract/media';
import type { Database } from '../../db/database.ts';
import { rateLimited } from '../../errors.ts';
import type { FanRef } from '../../fans/fans/fans.store.ts';
import { tooMuch } from '../../media/uploads.service.ts';
import { sumUploads } from '../../media/uploads.store.ts';

/** Bytes that one fan may upload within 24 hours, sent or not: the disk is everyone's. */
export const FAN_DAY_BYTES = 5 * FILE_MAX_BYTES;
/** Uploads of one fan that may be under way at once. */
const AT_ONCE = 8;
/** Seconds after which one of them may be over. */
const RETRY_AFTER = 10;

/** What a fan has under way. */
interface UnderWay {
  uploads: number;
  /** Bytes that these may bring, together. */
  bytes: number;
}

/**
 * Holds each fan to what they may upload. An upload counts with what it declares before any of it comes; one that declares nothing
 * counts with all that is left.
 * @returns runs an upload, telling it how many bytes it may have
 * @throws AppError 413 `payload_too_large` when too little is left for today; 429 `rate_limited` with too many at once, or when
 * others under way may take what is left
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
    // Before stored uploads are summed: those that end meanwhile then count twice for a moment, and never not at all.
    const others = mine.bytes;
    const bytes = declaredBytes ?? FAN_DAY_BYTES;
    all.set(fan.id, mine);
    mine.uploads += 1;
    mine.bytes += bytes;
    try {
      const place = { conversationId: fan.conversation_id, ownerId: fan.id };
      const left = FAN_DAY_BYTES - (await sumUploads(db, place));
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
