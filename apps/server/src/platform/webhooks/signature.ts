import { Webhook } from 'standardwebhooks';

/** Signs a delivery. @returns the `webhook-signature` header */
export type Sign = (id: string, at: Date, body: string) => string;

const PREFIX = 'whsec_';
/** Base64 with padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** @param secret `whsec_` and base64, or base64 alone; any other text is used as its UTF-8 bytes */
export function signer(secret: string): Sign {
  const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const webhook = BASE64.test(base64)
    ? new Webhook(base64)
    : new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' });
  return (id, at, body) => webhook.sign(id, at, body);
}
