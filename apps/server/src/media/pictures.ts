import { AppError } from '../errors.ts';
import { createFairTurns, type Worker } from './fair-turns.ts';
import type { FileStores } from './new-objects.ts';
import { type Spooled, spool } from './spool.ts';

/** Pictures processed at the same time: each can take 200 MB for a moment. */
const AT_ONCE = 2;
/** Milliseconds that a picture waits for its turn: less than the timeout of servers and proxies for a silent request. */
const PATIENCE_MS = 45_000;
const RETRY_AFTER_SECONDS = 30;

/** The sender of pictures, and whether they are still connected. */
export interface Sender {
  readonly by: Worker;
  /** Aborts once the response has closed. */
  readonly signal: AbortSignal;
}

/** Keeps pictures on disk until they may be loaded into memory. */
export interface Pictures {
  /**
   * Writes an arriving picture to disk.
   * @throws AppError 413 `payload_too_large`, 507 `storage_full`
   */
  take(body: AsyncIterable<Buffer>, maxBytes: number, filename: string): Promise<Spooled>;
  /**
   * Runs `work` on a picture when it is the sender's turn.
   * @throws AppError 503 `unavailable` if that takes too long, the signal's reason, and whatever `work` throws
   */
  inTurn<T>(picture: Spooled, sender: Sender, work: (input: Buffer) => Promise<T>): Promise<T>;
}

/** The stores for uploads, including the pictures that wait to be re-encoded. */
export interface UploadStores extends FileStores {
  readonly pictures: Pictures;
}

/** @param folder for the waiting pictures */
export function createPictures(folder: string, patienceMs = PATIENCE_MS): Pictures {
  const turns = createFairTurns(AT_ONCE);
  return {
    take: (body, maxBytes, filename) => spool(folder, body, maxBytes, filename),
    async inTurn(picture, { by, signal }, work) {
      const impatience = new AbortController();
      const timer = setTimeout(() => impatience.abort(tooBusy()), patienceMs);
      try {
        return await turns(by, AbortSignal.any([signal, impatience.signal]), async () => {
          clearTimeout(timer);
          return work(await picture.read());
        });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

const tooBusy = () =>
  new AppError('unavailable', {
    message: 'Too many pictures are being uploaded right now. Please try again in a moment.',
    retryAfter: RETRY_AFTER_SECONDS,
  });
