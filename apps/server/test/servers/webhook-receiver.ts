import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEvent } from '@stagedoor/contract/platform/webhooks';
import { Webhook } from 'standardwebhooks';
import { until } from '../until.ts';

/** A delivery as it came, whatever was answered. */
export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent. */
  readonly text: string;
  readonly event: WebhookEvent;
  /** Whether it was answered with success. */
  accepted: boolean;
}

/** What a receiver does with a delivery: a status, or something of its own. */
type Reaction = number | ((response: ServerResponse) => void);

/** A program of the platform's that hears webhooks, and believes only what is signed. */
export interface WebhookReceiver {
  readonly url: string;
  readonly secret: string;
  /** Everything that came, in that order, repetitions and refused ones too. */
  readonly received: readonly Received[];
  /** What was signed wrongly. */
  readonly forged: readonly string[];
  /** Decides about each delivery; takes all unless told. */
  react: (delivery: Received) => Reaction;
  /** Those of a conversation that were taken, each once. */
  acceptedOf(conversationId: string): readonly Received[];
  /** The first delivery that satisfies, once it has come. */
  next(what: string, wanted: (delivery: Received) => boolean): Promise<Received>;
  close(): Promise<void>;
}

/** @param secret as receivers keep it */
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
        response.writeHead(reaction).end(reaction === 204 ? undefined : 'heard');
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
    next: (what, wanted) => until(what, () => received.find(wanted), 20_000),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return receiver;
}

/** A timing under which nobody waits. */
export const QUICK = { firstPause: 0, longestPause: 0, giveUpAfter: 60, timeout: 15 };
