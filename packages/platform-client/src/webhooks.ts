import type { WebhookEvent } from '@stagedoor/contract/platform/webhooks';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export type { WebhookData, WebhookEvent, WebhookType } from '@stagedoor/contract/platform/webhooks';

/** A delivery with a valid signature. `id` is the same each time the event is delivered. */
export type VerifiedWebhook = WebhookEvent & { readonly id: string };

/** The error for an untrusted delivery: not signed with the secret, altered, or older than five minutes. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/** Headers of a Request or of Node's HTTP server. */
type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
/** Matches base64 with padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Verifies a delivery as the Standard Webhooks specification requires.
 * @param body the raw bytes as received; a body that was parsed and serialized again has a different signature
 * @param secret the installation's secret: base64, optionally with the prefix `whsec_`; any other text is used as UTF-8 bytes
 * @throws WebhookSignatureError if the delivery can't be trusted; Error if the secret is empty
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
): VerifiedWebhook {
  const signed = Object.fromEntries(SIGNED_HEADERS.map((name) => [name, headerOf(headers, name)]));
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const webhook = keyed(secret);
  try {
    const event = webhook.verify(text, signed) as WebhookEvent;
    return { ...event, id: signed['webhook-id'] ?? '' };
  } catch (cause) {
    if (!(cause instanceof WebhookVerificationError)) throw cause;
    throw new WebhookSignatureError(cause.message, { cause });
  }
}

function keyed(secret: string): Webhook {
  const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (BASE64.test(base64)) return new Webhook(base64);
  return new Webhook(new TextEncoder().encode(secret), { format: 'raw' });
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.join(' ') ?? '');
}
