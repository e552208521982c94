import type { WebhookEvent } from '@stagedoor/contract/platform/webhooks';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export type { WebhookData, WebhookEvent, WebhookType } from '@stagedoor/contract/platform/webhooks';

/** A delivery whose signature was found to be right. `id` is the same each time the event is delivered. */
export type VerifiedWebhook = WebhookEvent & { readonly id: string };

/** A delivery that is not to be believed: not signed with the secret, altered, or older than five minutes. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/** Headers as a Request has them, or as Node's own server does. */
type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
/** With its padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Verifies a delivery in the Standard Webhooks way.
 * @param body as it came, byte for byte: one that was parsed and written again has another signature
 * @param secret as the installation has it: `whsec_` and base64, or base64 alone; any other text counts as its own bytes
 * @throws WebhookSignatureError when it is not to be believed; Error when the secret is empty
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
