import { once } from 'node:events';
import { type ClientRequest, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ATTACHMENTS_MAX,
  FILE_MAX_BYTES,
  IMAGE_MAX_BYTES,
  uploadFiles,
} from '@stagedoor/contract/media';
import { createProduct } from '@stagedoor/contract/selling/products';
import { afterEach, expect, test } from 'vitest';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import { filesForm } from '../../test/files.ts';
import { sharedApp } from '../../test/test-app.ts';
import { until } from '../../test/until.ts';
import { buildPicture } from '../../test/worlds/catalogue.ts';
import { sweepFiles } from '../media/new-objects.ts';
import { readParts } from './multipart.ts';

const app = await sharedApp();
const staff = await buildStaff(app, { role: 'manager' });
const { id: conversationId } = await buildConversation(app);

/** Checks that rejected uploads left no file, row or garbage record. */
async function nothingIsLeft(): Promise<boolean> {
  const uploads = await app.db.kysely.selectFrom('uploads').select('id').execute();
  const garbage = await app.db.kysely.selectFrom('storage_garbage').selectAll().execute();
  return uploads.length + garbage.length + (await app.storedFiles()).length === 0;
}

afterEach(() => until('nothing is left', nothingIsLeft));

const BOUNDARY = 'x-boundary-x';
const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead = (filename: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${filename}"\r\nContent-Type: application/octet-stream\r\n\r\n`;

interface SlowUpload {
  readonly status: number | 'closed';
  readonly text: string;
  readonly sentBytes: number;
}

/**
 * Sends a hand-written upload.
 * @param chunks sent as the connection takes them, until they end or the server hangs up
 */
function send(
  chunks: Iterable<string | Buffer>,
  options: {
    path?: string;
    headers?: Record<string, string>;
    /** The sender never ends its request, and disconnects after this. */
    leavesAfter?: (sent: ClientRequest) => Promise<unknown>;
  } = {},
): Promise<SlowUpload> {
  return new Promise((resolve) => {
    let sentBytes = 0;
    let answer = { status: 'closed' as number | 'closed', text: '' };
    const sent = request(new URL(options.path ?? uploadFiles.path, app.url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${staff.token}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        ...options.headers,
      },
    });
    sent.on('response', (response) => {
      answer = { ...answer, status: response.statusCode ?? 0 };
      response.on('data', (chunk: Buffer) => {
        answer.text += String(chunk);
      });
    });
    sent.on('error', () => undefined);
    sent.on('close', () => resolve({ ...answer, sentBytes }));
    const iterator = chunks[Symbol.iterator]();
    const pump = () => {
      for (;;) {
        if (sent.destroyed) return;
        const { done, value } = iterator.next();
        if (done) {
          if (options.leavesAfter) void options.leavesAfter(sent).then(() => sent.destroy());
          else sent.end();
          return;
        }
        sentBytes += value.length;
        if (!sent.write(value)) {
          sent.once('drain', pump);
          return;
        }
      }
    };
    pump();
  });
}

const answered = async (sent: ClientRequest) => {
  const [response] = await once(sent, 'response');
  await once(response, 'close');
};

const refused = (form: FormData) => staff.client.refused(uploadFiles, { body: form });
const small = (filename: string) => ({ data: Buffer.from('hello'), filename });

test('one file more than a message allows: 413', async () => {
  const files = Array.from({ length: ATTACHMENTS_MAX + 1 }, (_, index) => small(`${index}.txt`));
  const refusal = await refused(filesForm(files, { conversation_id: conversationId }));
  expect(refusal).toMatchObject({ status: 413, code: 'payload_too_large' });
});

test('a thousand parts: 413', async () => {
  const form = filesForm([], { conversation_id: conversationId });
  for (let index = 0; index < 1_000; index++) form.append(`field-${index}`, 'x');
  expect((await refused(form)).status).toBeOneOf([400, 413]);
  const many = filesForm(
    Array.from({ length: 1_000 }, () => small('x.txt')),
    {
      conversation_id: conversationId,
    },
  );
  expect(await refused(many)).toMatchObject({ status: 413 });
});

test('a field longer than any of ours: 413', async () => {
  const form = filesForm([small('a.txt')], { conversation_id: 'x'.repeat(100_000) });
  expect(await refused(form)).toMatchObject({ status: 413 });
});

test('a picture one byte too large: 413, with its name', async () => {
  const picture = await buildPicture();
  const data = Buffer.concat([picture, Buffer.alloc(IMAGE_MAX_BYTES + 1 - picture.length)]);
  const refusal = await refused(
    filesForm([small('a.txt'), { data, filename: 'huge.png' }], {
      conversation_id: conversationId,
    }),
  );
  expect(refusal).toMatchObject({ status: 413, code: 'payload_too_large' });
  expect(refusal.error).toContain('“huge.png”');
});

test('a declared length above all limits is rejected before anything is read', async () => {
  const headers = { 'content-length': String(100 * FILE_MAX_BYTES) };
  const { status } = await send([field('conversation_id', conversationId)], {
    headers,
    leavesAfter: answered,
  });
  expect(status).toBe(413);
});

test.each<[string, string]>([
  ['before its first part', 'x'],
  ['in a header', `--${BOUNDARY}\r\nX-Endless: `],
  ['in a part that is none of ours', `--${BOUNDARY}\r\nX-Other: 1\r\n\r\n`],
  ['after its last part', `${field('title', 'x')}--${BOUNDARY}--\r\n`],
])('an endless body %s is cut off', async (_where, start) => {
  function* endless() {
    yield start;
    const chunk = Buffer.alloc(256 * 1024, 'y');
    for (;;) yield chunk;
  }
  expect((await send(endless())).status).toBeOneOf([400, 413]);
});

test('a product of 2 GB is read only up to the size limit of a picture: 413', async () => {
  function* large() {
    yield field('title', 'Large');
    yield fileHead('large.png').replace('name="files"', 'name="image"');
    const chunk = Buffer.alloc(1024 * 1024, 1);
    for (;;) yield chunk;
  }
  const headers = { 'content-length': String(2 * 1024 ** 3) };
  const { status } = await send(large(), { path: createProduct.path, headers });
  expect(status).toBe(413);
});

test('an endless stream is cut off once it is rejected', async () => {
  function* endless() {
    yield field('conversation_id', conversationId);
    yield fileHead('endless.png');
    const chunk = Buffer.alloc(1024 * 1024, 1);
    for (;;) yield chunk;
  }
  const { status } = await send(endless());
  expect(status).toBe(400);
});

test('an upload whose sender disconnects leaves nothing', async () => {
  const half = [
    field('conversation_id', conversationId),
    `${fileHead('first.bin')}all of it\r\n`,
    fileHead('second.bin'),
    Buffer.alloc(5 * 1024 * 1024, 1),
  ];
  const begun = () => until('a file is begun', async () => !(await nothingIsLeft()));
  expect((await send(half, { leavesAfter: begun })).status).toBe('closed');
  await until('nothing is left', nothingIsLeft);
});

test.each([
  ['breaks off inside a file', [field('conversation_id', conversationId), fileHead('a.bin'), 'x']],
  [
    'breaks off inside a header',
    [field('conversation_id', conversationId), `--${BOUNDARY}\r\nContent-D`],
  ],
  ['has no part', ['nothing of the kind']],
  ['is empty', []],
])('a body that %s: 400', async (_what, chunks) => {
  const { status, text } = await send(chunks);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request' });
});

const valid = [
  field('conversation_id', conversationId),
  `${fileHead('a.png')}${(await buildPicture()).toString('latin1')}\r\n`,
  `${fileHead('b.txt')}hello\r\n--${BOUNDARY}--\r\n`,
].join('');

/** Yields the same random numbers in each run. */
function* picks(): Generator<number, never, unknown> {
  for (let state = 20_261_121; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state / 2_147_483_647;
  }
}

test('a randomly mangled body is accepted or rejected, and never hangs', async () => {
  const random = picks();
  const pick = (below: number) => Math.floor(random.next().value * below);
  const pieces = [
    '\r\n',
    '\r\n\r\n',
    `--${BOUNDARY}`,
    '--',
    '"',
    ';',
    '\0',
    'filename*=',
    'charset=',
    '%',
  ];
  for (let round = 0; round < 60; round++) {
    let body = valid;
    for (let change = pick(4); change >= 0; change--) {
      const at = pick(body.length);
      const length = pick(3) === 0 ? pick(200) : 0;
      body = `${body.slice(0, at)}${pieces[pick(pieces.length)]}${body.slice(at + length)}`;
    }
    const { status, text } = await send([Buffer.from(body, 'latin1')]);
    expect([200, 400, 404, 413]).toContain(status);
    if (status !== 200) expect(JSON.parse(text)).toHaveProperty('code');
  }
  await app.db.kysely.deleteFrom('uploads').execute();
  await app.db.kysely
    .updateTable('storage_garbage')
    .set({ delete_after: new Date(0) })
    .execute();
  await sweepFiles(app);
});

test('a file name with a line break is rejected', async () => {
  const head = fileHead('a').replace('filename="a"', "filename*=UTF-8''a%0D%0AX-Evil:%201.txt");
  const body = [field('conversation_id', conversationId), head, `hello\r\n--${BOUNDARY}--\r\n`];
  expect(await send(body)).toMatchObject({ status: 400 });
});

test('an upload whose sender left before it was read fails instead of waiting for more', async () => {
  const outcome = new Promise<unknown>((resolve) => {
    const server = createServer((incoming) => {
      incoming.once('close', () => {
        readParts(incoming)
          .next()
          .then(resolve, resolve)
          .finally(() => server.close());
      });
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
      const sent = request({ port, host: '127.0.0.1', method: 'POST', headers });
      sent.on('error', () => undefined);
      sent.write(field('conversation_id', 'x'), () => sent.destroy());
    });
  });
  expect(await outcome).toMatchObject({ code: 'invalid_request' });
});

test('a multipart body without a boundary: 400; on an endpoint without uploads: 415', async () => {
  const headers = { 'content-type': 'multipart/form-data' };
  expect((await send(['x'], { headers })).status).toBe(400);
  const elsewhere = await staff.client.raw('POST', '/api/messages/admin/send', {
    body: filesForm([]),
  });
  expect(elsewhere.status).toBe(415);
});

test('a stranger’s upload is rejected at its first byte', async () => {
  const headers = { authorization: 'Bearer nobody' };
  const { status, sentBytes } = await send(
    [field('conversation_id', conversationId), fileHead('a.bin'), Buffer.alloc(1024)],
    { headers, leavesAfter: answered },
  );
  expect(status).toBe(401);
  expect(sentBytes).toBeLessThan(10_000);
});
