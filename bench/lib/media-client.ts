import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** A file to upload; its bytes are generated while they are sent. */
export interface SentFile {
  readonly filename: string;
  /** Bytes. */
  readonly size: number;
  chunks(): Iterable<Buffer>;
}

const CHUNK_BYTES = 256 * 1024;
const BOUNDARY = 'stagedoor-bench-boundary';

/** Returns a file that starts like an MP4 and continues with bytes that vary along the file. */
export function generatedVideo(size: number): SentFile {
  const head = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1');
  return {
    filename: 'generated.mp4',
    size,
    *chunks() {
      yield head;
      for (let left = size - head.length, n = 0; left > 0; n++) {
        const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, left), n % 251);
        if (chunk.length >= 4) chunk.writeUInt32LE(n);
        left -= chunk.length;
        yield chunk;
      }
    },
  };
}

export const fileOf = (filename: string, data: Buffer): SentFile => ({
  filename,
  size: data.length,
  chunks: () => [data],
});

/** Returns the SHA-256 of a file's bytes, as hex. */
export function digestOf(file: SentFile): string {
  const hash = createHash('sha256');
  for (const chunk of file.chunks()) hash.update(chunk);
  return hash.digest('hex');
}

/** Uploads one file to a conversation as fast as the server accepts it. */
export async function upload(
  address: string,
  token: string,
  conversationId: string,
  file: SentFile,
): Promise<{ readonly status: number; readonly text: string }> {
  function* body() {
    yield Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="conversation_id"\r\n\r\n${conversationId}\r\n` +
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${file.filename}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    );
    yield* file.chunks();
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  }
  const response = await fetch(`${address}/api/messages/admin/upload-multiple`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    body: Readable.toWeb(Readable.from(body())) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, text: await response.text() };
}

/**
 * Downloads a file, or a range of it.
 * @param hash is updated with the bytes
 */
export async function download(
  address: string,
  url: string,
  hash: { update(chunk: Uint8Array): unknown },
  range?: { start: number; end: number },
): Promise<void> {
  const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
  const response = await fetch(new URL(url, address), { headers });
  if (response.status !== (range ? 206 : 200)) throw new Error(`GET ${url}: ${response.status}`);
  for await (const chunk of response.body ?? []) hash.update(chunk);
}
