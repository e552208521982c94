import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@stagedoor/contract/platform/webhooks';
import { Webhook } from 'standardwebhooks';
import { until } from '../until.ts';

/** A delivery as received, regardless of the answer. */
export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as sent. */
  readonly text: string;
  readonly event: WebhookEvent;
  /** Whether the answer was a success. */
  accepted: boolean;
}

/** The answer to a delivery: a status, or a function that writes the response. */
type Reaction = number | ((response: ServerResponse) => void);

/** A receiver of webhooks, as the platform runs one, which verifies signatures. */
export interface WebhookReceiver {
  readonly url: string;
  readonly secret: string;
  /** All deliveries in the order of arrival, including duplicates and refused ones. */
  readonly received: readonly Received[];
  /** Errors of requests with a wrong signature. */
  readonly forged: readonly string[];
  /** Returns the answer to each delivery; accepts all by default. */
  react: (delivery: Received) => Reaction;
  /** Returns the accepted deliveries of a conversation, each once. */
  acceptedOf(conversationId: string): readonly Received[];
  /** Returns the `seq`s of a conversation's messages whose creation it accepted. */
  seqsIn(conversationId: string): number[];
  /** Returns the first matching delivery once it has arrived. */
  next(what: string, wanted: (delivery: Received) => boolean): Promise<Received>;
  close(): Promise<void>;
}

/** @param secret in the format that receivers store */
export async function startWebhookReceiver(
  secret = `whsec_${Buffer.from('a secret of the tests, 32 bytes.').toString('base64')}`,
  verifier = new Webhook(secret),
): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const forged: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const headers = request.headers as Record<string, string>;
      try {
        const event = verifier.verify(text, headers) as WebhookEvent;
        const id = headers['webhook-id'] ?? '';
        const delivery: Received = { id, headers, text, event, accepted: false };
        received.push(delivery);
        const reaction = receiver.react(delivery);
        if (typeof reaction === 'function') return reaction(response);
        delivery.accepted = reaction >= 200 && reaction < 300;
        response.writeHead(reaction).end(reaction === 204 ? undefined : 'received');
      } catch (error) {
        forged.push(String(error));
        response.writeHead(401).end('forged');
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    secret,
    received,
    forged,
    react: () => 204,
    acceptedOf(conversationId) {
      const seen = new Set<string>();
      return received.filter(({ id, event, accepted }) => {
        const ours =
          'conversation_id' in event.data && event.data.conversation_id === conversationId;
        if (!ours || !accepted || seen.has(id)) return false;
        seen.add(id);
        return true;
      });
    },
    seqsIn: (conversationId) =>
      receiver
        .acceptedOf(conversationId)
        .flatMap(({ event }) => (event.type === 'message.created' ? [event.data.message.seq] : [])),
    next: (what, wanted) => until(what, () => received.find(wanted)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return receiver;
}

/** Delivery settings without pauses between tries, in seconds. */
export const QUICK = { firstPause: 0, longestPause: 0, giveUpAfter: 3_600, timeout: 15 };
