import { AppError } from '../errors.ts';
import { createFairTurns, type Worker } from './fair-turns.ts';
import type { FileStores } from './new-objects.ts';
import { type Spooled, spool } from './spool.ts';

/** Pictures in memory at once: each can take 200 MB for a moment. */
const AT_ONCE = 2;
/** Milliseconds that a picture waits for its turn: less than servers and proxies wait for a silent request. */
const PATIENCE_MS = 45_000;
const RETRY_AFTER_SECONDS = 30;

/** Who sends pictures, and whether they still do. */
export interface Sender {
  readonly by: Worker;
  /** Aborted once nobody waits for the reply any more. */
  readonly signal: AbortSignal;
}

/** Where pictures wait, on disk, until they may be in memory. */
export interface Pictures {
  /**
   * Takes in a picture that is on its way.
   * @throws AppError 413 `payload_too_large`, 507 `storage_full`
   */
  take(body: AsyncIterable<Buffer>, maxBytes: number, filename: string): Promise<Spooled>;
  /**
   * Makes something of a picture, and stores it, when it is its sender's turn.
   * @throws AppError 503 `unavailable` when that takes too long, the signal's reason, and whatever `work` throws
   */
  inTurn<T>(picture: Spooled, sender: Sender, work: (input: Buffer) => Promise<T>): Promise<T>;
}

/** What uploads need besides: pictures are made anew. */
export interface UploadStores extends FileStores {
  readonly pictures: Pictures;
}

/** @param folder where pictures wait */
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
