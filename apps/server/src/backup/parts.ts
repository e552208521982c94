import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupError, isMissing } from './backup-error.ts';

/** The size and hash of a file. */
export interface Measure {
  readonly bytes: number;
  readonly sha256: string;
}

/** Measures the data that passes through it. */
export class Meter extends Transform {
  #bytes = 0;
  readonly #hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#hash.update(chunk);
    done(null, chunk);
  }

  /** Returns the result. Call it once, after the stream has ended. */
  measure(): Measure {
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }
}

/** Writes a new file, readable only by its owner, and syncs it. */
export async function writePart(
  file: string,
  open: () => Readable,
  ...through: Transform[]
): Promise<Measure> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const meter = new Meter();
  await pipeline([
    open(),
    ...through,
    meter,
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
  ]);
  return meter.measure();
}

export async function measureFile(file: string): Promise<Measure> {
  const meter = new Meter().resume();
  await pipeline(createReadStream(file), meter);
  return meter.measure();
}

/** @throws BackupError if a part of a backup differs from its manifest */
export async function verifyPart(folder: string, name: string, expected: Measure): Promise<void> {
  const { bytes, sha256 } = await measureFile(path.join(folder, name)).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new BackupError(`The backup is damaged: ${name} is missing.`, { cause: error });
  });
  if (bytes !== expected.bytes || sha256 !== expected.sha256) {
    throw new BackupError(`The backup is damaged: ${name} has changed.`);
  }
}
