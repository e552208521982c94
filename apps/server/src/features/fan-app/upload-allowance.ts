import { FILE_MAX_BYTES } from '@stagedoor/contract/media';
import type { Database } from '../../db/database.ts';
import { rateLimited } from '../../errors.ts';
import type { FanRef } from '../fans/fans.store.ts';
import { tooMuch } from '../media/uploads.service.ts';
import { sumUploads } from '../media/uploads.store.ts';

/** Bytes that one fan may upload within 24 hours, sent or not: the disk is everyone's. */
export const FAN_DAY_BYTES = 5 * FILE_MAX_BYTES;
/** Uploads of one fan that may be under way at once: none of them counts before it is complete. */
const AT_ONCE = 8;
/** Seconds after which one of them may be over. */
const RETRY_AFTER = 10;

/**
 * Holds each fan to what they may upload.
 * @returns runs an upload, telling it how many bytes it may have
 * @throws AppError 413 `payload_too_large` when nothing is left for today; 429 `rate_limited` with too many at once
 */
export function createUploadAllowance(db: Database) {
  const underWay = new Map<string, number>();
  return async <T>(fan: FanRef, upload: (maxBytes: number) => Promise<T>): Promise<T> => {
    const others = underWay.get(fan.id) ?? 0;
    if (others >= AT_ONCE) throw rateLimited(RETRY_AFTER);
    underWay.set(fan.id, others + 1);
    try {
      const place = { conversationId: fan.conversation_id, ownerId: fan.id };
      const left = FAN_DAY_BYTES - (await sumUploads(db, place));
      if (left <= 0) throw tooMuch();
      return await upload(left);
    } finally {
      const still = (underWay.get(fan.id) ?? 1) - 1;
      if (still === 0) underWay.delete(fan.id);
      else underWay.set(fan.id, still);
    }
  };
}
