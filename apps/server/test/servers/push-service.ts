import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushPayload } from '@stagedoor/contract/team/notifications';
import { until } from '../until.ts';

/** A subscribed browser: its subscription, and the messages it decrypts. */
export interface PushBrowser {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Its messages, decrypted, in the order of arrival. */
  readonly received: readonly { payload: PushPayload; headers: IncomingHttpHeaders }[];
  /** Returns the next matching message once it has arrived. */
  next(what: string, wanted?: (payload: PushPayload) => boolean): Promise<PushPayload>;
}

/** A push service like those of browser vendors, for browsers that it creates itself. */
export interface PushService {
  browser(): PushBrowser;
  /** Returns the status for the browser's next messages; 201 by default, 0 for no answer at all. */
  answer: (browser: PushBrowser) => number;
  /** Requests so far, including refused ones. */
  readonly requests: number;
  /** Every message body as sent. */
  readonly bodies: readonly Buffer[];
  /** Errors of requests that were not signed or encrypted correctly. */
  readonly wrong: readonly string[];
  close(): Promise<void>;
}

interface Held extends PushBrowser {
  received: { payload: PushPayload; headers: IncomingHttpHeaders }[];
  read(body: Buffer): PushPayload;
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Held>();
  const wrong: string[] = [];
  const bodies: Buffer[] = [];
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      const browser = browsers.get(request.url ?? '');
      const body = Buffer.concat(chunks);
      bodies.push(body);
      if (browser === undefined) {
        response.writeHead(404).end();
        return;
      }
      try {
        checkVapid(request.headers, url);
        const payload = browser.read(body);
        const status = service.answer(browser);
        if (status < 300) browser.received.push({ payload, headers: request.headers });
        if (status === 0) return;
        // The maximum pause that the server accepts.
        const headers = status === 429 ? { 'retry-after': '30' } : {};
        response.writeHead(status, headers).end();
      } catch (error) {
        wrong.push(String(error));
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service = {
    browser() {
      const path = `/push/${browsers.size}`;
      const browser = makeBrowser(url + path);
      browsers.set(path, browser);
      return browser;
    },
    answer: (_browser: PushBrowser) => 201,
    get requests() {
      return requests;
    },
    bodies,
    wrong,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return service;
}

function makeBrowser(endpoint: string): Held {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
  const received: Held['received'] = [];
  return {
    subscription: {
      endpoint,
      keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    received,
    next: async (what, wanted = () => true) =>
      (await until(what, () => received.find(({ payload }) => wanted(payload)))).payload,
    read: (body) => JSON.parse(decryptPush(body, pair, auth).toString()) as PushPayload,
  };
}

/** Decrypts a message as a browser does (RFC 8291 and 8188). @param pair the browser's key pair */
export function decryptPush(
  body: Buffer,
  pair: ReturnType<typeof createECDH>,
  auth: Buffer,
): Buffer {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > body.readUInt32BE(16)) throw new Error('more than one record');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender]);
  const derive = (from: Buffer, secret: Buffer, label: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, label, bytes));
  const secret = derive(auth, pair.computeSecret(sender), info, 32);
  const key = derive(salt, secret, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(salt, secret, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  if (end === -1 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('no end');
  return plain.subarray(0, end);
}

/** @throws Error unless the server identifies itself as RFC 8292 requires */
function checkVapid(headers: IncomingHttpHeaders, audience: string): void {
  const [, token = '', key = ''] =
    /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the signature is wrong');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const seconds = Number(exp) - Date.now() / 1_000;
  if (aud !== audience) throw new Error(`signed for ${String(aud)}`);
  if (!(seconds > 0 && seconds <= 86_400)) throw new Error(`good for ${seconds} seconds`);
  if (!/^(mailto:|https:)/.test(String(sub))) throw new Error(`nobody to reach at ${String(sub)}`);
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not encrypted');
  if (!(Number(headers.ttl) > 0)) throw new Error('no time to live');
}
