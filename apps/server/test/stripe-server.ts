import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { unique } from './factories.ts';

/** A call as it came over the wire. */
export interface StripeCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The form fields, by their names with brackets. */
  readonly form: Readonly<Record<string, string>>;
  /** Of the answer. */
  readonly status: number;
}

/** A failure as Stripe words them. */
export interface StripeFailure {
  readonly status: number;
  readonly type: string;
  readonly code?: string;
  readonly param?: string;
}

/** A server that speaks Stripe's wire language, as far as the program uses it: form fields in, documented objects out. */
export interface StripeServer {
  readonly at: { readonly host: string; readonly port: number; readonly protocol: 'http' };
  /** Every call, repetitions too. */
  readonly calls: readonly StripeCall[];
  /** The sessions that were made, each once. */
  readonly sessions: readonly { readonly id: string; readonly url: string }[];
  /** How the next calls fail; null: not at all. */
  failure: StripeFailure | null;
  close(): Promise<void>;
}

/** An object as Stripe documents it, by its file's name. */
export function stripeFixture<T extends object>(name: string): T {
  const file = new URL(`fixtures/stripe/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

export async function startStripeServer(): Promise<StripeServer> {
  const calls: StripeCall[] = [];
  const sessions: { id: string; url: string }[] = [];
  /** What each idempotency key was used for, and answered. */
  const answered = new Map<string, { sent: string; reply: object }>();

  function answer(path: string, form: StripeCall['form']): object {
    if (path === '/v1/refunds') {
      return { ...stripeFixture('refund'), id: unique('re'), payment_intent: form.payment_intent };
    }
    const id = unique('cs_test');
    const url = `https://checkout.stripe.com/c/pay/${id}`;
    sessions.push({ id, url });
    return { ...stripeFixture('session'), id, url };
  }

  const http = createServer((request, response) => {
    void text(request).then((sent) => {
      const path = request.url ?? '';
      const form = Object.fromEntries(new URLSearchParams(sent));
      const send = (status: number, body: object) => {
        calls.push({ path, headers: request.headers, form, status });
        response
          .writeHead(status, {
            'content-type': 'application/json',
            'request-id': unique('req'),
            'stripe-should-retry': 'false',
          })
          .end(JSON.stringify(body));
      };
      if (server.failure !== null) {
        const { status, ...error } = server.failure;
        send(status, { error: { ...error, message: 'As the test wants it' } });
        return;
      }
      const key = String(request.headers['idempotency-key']);
      const before = answered.get(key);
      if (before !== undefined && before.sent !== sent) {
        send(400, { error: { type: 'idempotency_error', message: 'Other parameters' } });
        return;
      }
      const reply = before?.reply ?? answer(path, form);
      answered.set(key, { sent, reply });
      send(200, reply);
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
