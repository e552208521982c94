import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import {
  Busboy,
  type BusboyEvents,
  type BusboyFileStream,
  type BusboyInstance,
} from '@fastify/busboy';
import { ATTACHMENTS_MAX, BUNDLE_FILES_MAX, FILE_MAX_BYTES } from '@stagedoor/contract/media';
import { AppError, invalidRequest } from '../errors.ts';

/** A part of a multipart body: a text field, or a file whose bytes are still arriving. */
export type Part = FieldPart | FilePart;

export interface FieldPart {
  readonly kind: 'field';
  readonly name: string;
  readonly value: string;
}

export interface FilePart {
  readonly kind: 'file';
  readonly name: string;
  /** The client's name for the file. Untrusted. */
  readonly filename: string;
  /** The content type that the client declares. Untrusted. */
  readonly contentType: string;
  /** Must be read before the next part is requested; the unread rest is skipped. */
  readonly body: Readable;
}

/** The body of an upload, part by part. */
export interface Upload extends AsyncIterable<Part> {
  /** Content-Length in bytes; null if the client sent none. */
  readonly declaredBytes: number | null;
  /** Aborts with the upload's error once the response has closed. */
  readonly signal: AbortSignal;
}

/**
 * Maximum numbers of files and fields. The largest form, for a product, has a picture and four fields, and for each of the
 * product's files the file, a frame and two fields.
 */
const FILES_MAX = 1 + 2 * BUNDLE_FILES_MAX;
const FIELDS_MAX = 4 + 2 * BUNDLE_FILES_MAX;
/** Maximum size of a field in bytes: enough for the longest text in any form. */
const FIELD_MAX_BYTES = 32 * 1024;
/** Limits on a part's own headers: number of pairs, and bytes. */
const HEADER_PAIRS_MAX = 20;
const HEADER_MAX_BYTES = 8 * 1024;
/** Maximum number of bytes in a row that belong to no file: before the first boundary, in headers, after the last part. */
const BETWEEN_MAX_BYTES = 1024 * 1024;
const BODY_MAX_BYTES = ATTACHMENTS_MAX * FILE_MAX_BYTES + FIELDS_MAX * FIELD_MAX_BYTES;

/** Opens the multipart body of a request. Errors in the body are thrown when it is read. */
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
 * Reads a multipart body as a stream, in constant memory.
 * @throws AppError 413 for too many or too large parts, 415 for another content type, 400 for a body that is malformed or cut
 * off; reading the current file fails with the same error
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
  // The parser silently skips bytes outside of parts, without a limit.
  const watch = (chunk: Buffer) => {
    if (files.size > 0) return;
    between += chunk.length;
    if (between > BETWEEN_MAX_BYTES) fail(tooLarge('The upload is too large'));
  };

  // The types don't say so, but names are undefined if a part has none.
  const onFile: BusboyEvents['file'] = (
    name: string | undefined,
    body,
    filename: string | undefined,
    _encoding,
    contentType,
  ) => {
    files.add(body);
    // The file's reader sees the error too; this listener covers files that nobody has started to read.
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
  parser.once('filesLimit', () => fail(tooManyFiles()));
  parser.once('fieldsLimit', () => fail(tooLarge('The form has too many fields')));
  parser.once('partsLimit', () => fail(tooLarge('The form has too many parts')));
  parser.on('error', () => fail(malformed()));
  parser.once('finish', () => {
    ended = true;
    wake();
  });
  request.on('error', breakOff);
  request.once('close', breakOff);
  // The request may have closed before the listener was added.
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

/** Milliseconds that a rejected client may keep sending before its connection is closed. */
const DISCARD_MS = 3_000;

/**
 * Discards the rest of a request that was answered before it had fully arrived, so that the client can read the reply. Closes the
 * connection if the rest takes too long.
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
        files: FILES_MAX,
        fields: FIELDS_MAX,
        parts: FILES_MAX + FIELDS_MAX,
        fieldSize: FIELD_MAX_BYTES,
        fileSize: FILE_MAX_BYTES,
        headerPairs: HEADER_PAIRS_MAX,
        headerSize: HEADER_MAX_BYTES,
      },
    });
  } catch {
    // The parser throws only for a content type without a boundary.
    throw malformed();
  }
}

const cutOff = () => invalidRequest({ '': 'The upload was cut off' });
const malformed = () => invalidRequest({ '': 'The multipart body is malformed' });
export const tooManyFiles = () =>
  tooLarge(`At most ${ATTACHMENTS_MAX} files can be uploaded at once`);
const tooLarge = (message: string) => new AppError('payload_too_large', { message });
