import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import {
  Busboy,
  type BusboyEvents,
  type BusboyFileStream,
  type BusboyInstance,
} from '@fastify/busboy';
import { ATTACHMENTS_MAX, FILE_MAX_BYTES } from '@stagedoor/contract/media';
import { AppError, invalidRequest } from '../errors.ts';

/** A part of a multipart body: a text, or a file whose bytes are still on their way. */
export type Part = FieldPart | FilePart;

export interface FieldPart {
  readonly kind: 'field';
  readonly name: string;
  readonly value: string;
}

export interface FilePart {
  readonly kind: 'file';
  readonly name: string;
  /** As its sender called it: not to be trusted with anything. */
  readonly filename: string;
  /** As its sender declared it: not to be trusted either. */
  readonly contentType: string;
  /** To be read before the next part is asked for; what is not read by then is skipped. */
  readonly body: Readable;
}

/** The body of an upload, part by part. */
export interface Upload extends AsyncIterable<Part> {
  /** Bytes, as the sender declares them; null where they don't. */
  readonly declaredBytes: number | null;
  /** Aborted, with what the upload fails with, once nobody waits for the reply any more. */
  readonly signal: AbortSignal;
}

const FIELDS_MAX = 20;
/** Bytes of a field: what the longest text of a form can take. */
const FIELD_MAX_BYTES = 32 * 1024;
/** Pairs and bytes of a part's own headers. */
const HEADER_PAIRS_MAX = 20;
const HEADER_MAX_BYTES = 8 * 1024;
/** Bytes outside of files without a part of ours: before the first boundary, in headers without end, after the last part. */
const BETWEEN_MAX_BYTES = 1024 * 1024;
const BODY_MAX_BYTES = ATTACHMENTS_MAX * FILE_MAX_BYTES + FIELDS_MAX * FIELD_MAX_BYTES;

/** Opens the multipart body of a request; what is wrong with it shows when it is read. */
export function openUpload(request: IncomingMessage, response: ServerResponse): Upload {
  const gone = new AbortController();
  response.once('close', () => gone.abort(cutOff()));
  const declared = request.headers['content-length'];
  return {
    declaredBytes: declared === undefined ? null : Number(declared),
    signal: gone.signal,
    [Symbol.asyncIterator]: () => readParts(request),
  };
}

/**
 * Reads a multipart body as a stream: memory does not grow with it.
 * @throws AppError 413 for too many or too large parts, 415 for another content type, 400 for a body that is malformed or
 * cut off; the file that is being read fails alike
 */
export async function* readParts(request: IncomingMessage): AsyncGenerator<Part, void, undefined> {
  const parser = openParser(request);
  const arrived: Part[] = [];
  const files = new Set<BusboyFileStream>();
  let failure: unknown = null;
  let ended = false;
  let between = 0;
  let wake = () => {};

  const fail = (error: unknown) => {
    failure ??= error;
    for (const file of files) file.destroy(error instanceof Error ? error : undefined);
    wake();
  };
  const add = (part: Part) => {
    between = 0;
    arrived.push(part);
    wake();
  };
  const breakOff = () => {
    if (!request.complete) fail(cutOff());
  };
  // The parser skips these without a word, for as long as they come.
  const watch = (chunk: Buffer) => {
    if (files.size > 0) return;
    between += chunk.length;
    if (between > BETWEEN_MAX_BYTES) fail(tooLarge('The upload is too large'));
  };

  // Whatever its types say, names are undefined where a part has none.
  const onFile: BusboyEvents['file'] = (
    name: string | undefined,
    body,
    filename: string | undefined,
    _encoding,
    contentType,
  ) => {
    files.add(body);
    // Its reader hears of an error too; this one is for files that nobody has begun to read.
    body.on('error', () => files.delete(body));
    body.once('close', () => files.delete(body));
    body.once('limit', () => fail(tooLarge('A file is too large')));
    add({ kind: 'file', name: name ?? '', filename: filename ?? '', contentType, body });
  };
  const onField: BusboyEvents['field'] = (
    name: string | undefined,
    value,
    nameTruncated,
    valueTruncated,
  ) => {
    if (nameTruncated || valueTruncated) fail(tooLarge('A field is too long'));
    else add({ kind: 'field', name: name ?? '', value });
  };
  parser.on('file', onFile);
  parser.on('field', onField);
  parser.once('filesLimit', () =>
    fail(tooLarge(`At most ${ATTACHMENTS_MAX} files can be uploaded at once`)),
  );
  parser.once('fieldsLimit', () => fail(tooLarge('The form has too many fields')));
  parser.once('partsLimit', () => fail(tooLarge('The form has too many parts')));
  parser.on('error', () => fail(malformed()));
  parser.once('finish', () => {
    ended = true;
    wake();
  });
  request.on('error', breakOff);
  request.once('close', breakOff);
  // Its end was told before anyone listened.
  if (request.destroyed) breakOff();
  request.on('data', watch);
  request.pipe(parser);

  try {
    for (;;) {
      if (failure !== null) throw failure;
      const part = arrived.shift();
      if (part !== undefined) {
        yield part;
        if (part.kind === 'file') part.body.resume();
      } else if (ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    request.off('data', watch);
    request.unpipe(parser);
    for (const file of files) file.destroy();
  }
}

/** Milliseconds that a refused sender may go on sending before the connection is closed on them. */
const DISCARD_MS = 3_000;

/**
 * For a request that was answered before all of it had come: throws the rest away for a moment, so that its sender gets to
 * read the answer, then hangs up.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, DISCARD_MS);
  request.once('close', () => clearTimeout(timer));
}

function openParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) throw new AppError('unsupported_media_type');
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) {
    throw tooLarge('The upload is too large');
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      limits: {
        files: ATTACHMENTS_MAX,
        fields: FIELDS_MAX,
        parts: ATTACHMENTS_MAX + FIELDS_MAX,
        fieldSize: FIELD_MAX_BYTES,
        fileSize: FILE_MAX_BYTES,
        headerPairs: HEADER_PAIRS_MAX,
        headerSize: HEADER_MAX_BYTES,
      },
    });
  } catch {
    // It throws only about the content type: one without a boundary.
    throw malformed();
  }
}

const cutOff = () => invalidRequest({ '': 'The upload was cut off' });
const malformed = () => invalidRequest({ '': 'The multipart body is malformed' });
const tooLarge = (message: string) => new AppError('payload_too_large', { message });
