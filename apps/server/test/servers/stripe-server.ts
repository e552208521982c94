import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { unique } from '../factories.ts';

/** A request as received. */
export interface StripeCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The form fields, with brackets in their names. */
  readonly form: Readonly<Record<string, string>>;
  /** The status of the answer. */
  readonly status: number;
}

/** A failure as Stripe reports it. */
export interface StripeFailure {
  readonly status: number;
  readonly type: string;
  readonly code?: string;
  readonly param?: string;
}

/** A server with the part of Stripe's API that the program uses: form fields in, documented objects out. */
export interface StripeServer {
  readonly at: { readonly host: string; readonly port: number; readonly protocol: 'http' };
  /** Every request, including retries. */
  readonly calls: readonly StripeCall[];
  /** The created checkout sessions, without duplicates. */
  readonly sessions: readonly { readonly id: string; readonly url: string }[];
  /** The failure of the next requests; null: they succeed. */
  failure: StripeFailure | null;
  close(): Promise<void>;
}

/** Returns an object as Stripe documents it. @param name its file's name, without `.json` */
export function stripeFixture<T extends object>(name: string): T {
  const file = new URL(`fixtures/stripe/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** The fields in which an unpaid checkout session differs from a paid one. */
export const OPEN_SESSION = {
  customer_details: null,
  payment_intent: null,
  payment_status: 'unpaid',
  status: 'open',
} as const;

const session = () => ({
  ...stripeFixture<{ data: { object: object } }>('checkout.session.completed').data.object,
  ...OPEN_SESSION,
});

const failed = ({ status, ...error }: StripeFailure) => ({
  status,
  reply: { error: { ...error, message: 'As the test wants it' } },
});

/** Checks whether Stripe stores the answer. Refusals are not stored: wrong key or parameter, conflicting or too many requests. */
const isStored = (failure: StripeFailure | null): boolean =>
  failure === null || !(failure.param !== undefined || [401, 409, 429].includes(failure.status));

export async function startStripeServer(): Promise<StripeServer> {
  const calls: StripeCall[] = [];
  const sessions: { id: string; url: string }[] = [];
  /** The request and the answer for each idempotency key: failures are replayed too. */
  const answered = new Map<string, { sent: string; status: number; reply: object }>();

  function answer(path: string, form: StripeCall['form']): object {
    if (path === '/v1/refunds') {
      return { ...stripeFixture('refund'), id: unique('re'), payment_intent: form.payment_intent };
    }
    const [, expired] = /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/.exec(path) ?? [];
    if (expired !== undefined) return { ...session(), id: expired, status: 'expired' };
    const id = unique('cs_test');
    const url = `https://checkout.stripe.com/c/pay/${id}`;
    sessions.push({ id, url });
    return { ...session(), id, url };
  }

  const http = createServer((request, response) => {
    void text(request).then((sent) => {
      const path = request.url ?? '';
      const form = Object.fromEntries(new URLSearchParams(sent));
      const send = (status: number, body: object, isReplayed = false) => {
        calls.push({ path, headers: request.headers, form, status });
        response
          .writeHead(status, {
            'content-type': 'application/json',
            'request-id': unique('req'),
            'stripe-should-retry': 'false',
            ...(isReplayed && { 'idempotent-replayed': 'true' }),
          })
          .end(JSON.stringify(body));
      };
      const key = String(request.headers['idempotency-key']);
      const before = answered.get(key);
      if (before !== undefined && before.sent !== sent) {
        send(400, { error: { type: 'idempotency_error', message: 'Other parameters' } });
        return;
      }
      if (before !== undefined) {
        send(before.status, before.reply, true);
        return;
      }
      const made =
        server.failure === null
          ? { status: 200, reply: answer(path, form) }
          : failed(server.failure);
      if (isStored(server.failure)) answered.set(key, { sent, ...made });
      send(made.status, made.reply);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;

  const server: StripeServer = {
    at: { host: '127.0.0.1', port, protocol: 'http' },
    calls,
    sessions,
    failure: null,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
