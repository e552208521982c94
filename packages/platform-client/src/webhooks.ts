import type { WebhookEvent } from '@stagedoor/contract/webhooks';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

export type { WebhookData, WebhookEvent, WebhookType } from '@stagedoor/contract/webhooks';

/** A delivery whose signature was found to be right. `id` is the same each time the event is delivered. */
export type VerifiedWebhook = WebhookEvent & { readonly id: string };

/** A delivery that is not to be believed: not signed with the secret, altered, or older than five minutes. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/** Headers as a Request has them, or as Node's own server does. */
type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Verifies a delivery in the Standard Webhooks way.
 * @param body as it came, byte for byte: one that was parsed and written again has another signature
 * @param secret as the installation has it: `whsec_…`
 * @throws WebhookSignatureError when it is not to be believed; Error when the secret is none
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
): VerifiedWebhook {
  const signed = Object.fromEntries(SIGNED_HEADERS.map((name) => [name, headerOf(headers, name)]));
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const webhook = new Webhook(secret);
  try {
    const event = webhook.verify(text, signed) as WebhookEvent;
    return { ...event, id: signed['webhook-id'] ?? '' };
  } catch (cause) {
    if (!(cause instanceof WebhookVerificationError)) throw cause;
    throw new WebhookSignatureError(cause.message, { cause });
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.join(' ') ?? '');
}
