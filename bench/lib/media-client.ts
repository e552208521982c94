import { createHash } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';

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

export interface UploadReply {
  readonly status: number;
  readonly text: string;
}

/** Uploads one file to a conversation as fast as the server accepts it. */
export async function upload(
  address: string,
  token: string,
  conversationId: string,
  file: SentFile,
): Promise<UploadReply> {
  const head = [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="conversation_id"\r\n\r\n${conversationId}\r\n`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${file.filename}"\r\n`,
    'Content-Type: application/octet-stream\r\n\r\n',
  ].join('');
  const tail = `\r\n--${BOUNDARY}--\r\n`;
  const sent = request(new URL('/api/messages/admin/upload-multiple', address), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + file.size + tail.length,
    },
  });
  const answered = answerOf(sent);
  sent.write(head);
  for (const chunk of file.chunks()) {
    if (!sent.write(chunk)) await new Promise((resolve) => sent.once('drain', resolve));
  }
  sent.end(tail);
  const response = await answered;
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, text };
}

/**
 * Downloads a file, or a range of it.
 * @param hash is updated with the bytes
 * @returns the number of bytes
 */
export async function download(
  address: string,
  url: string,
  hash: { update(chunk: Buffer): unknown },
  range?: { start: number; end: number },
): Promise<number> {
  const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
  const sent = request(new URL(url, address), { headers });
  const answered = answerOf(sent);
  sent.end();
  const response = await answered;
  if (response.statusCode !== (range ? 206 : 200)) {
    throw new Error(`GET ${url}: ${response.statusCode}`);
  }
  let bytes = 0;
  for await (const chunk of response) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return bytes;
}

const answerOf = (sent: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
