import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookSignatureError } from './webhooks.ts';

const SECRET = `whsec_${Buffer.from('thirty-two bytes of a test secret').toString('base64')}`;
const body = JSON.stringify({
  type: 'webhook.test',
  timestamp: '2026-11-21T10:00:00.000Z',
  data: { sent_by: 'Kiwi' },
});

function delivery(at = new Date(), secret = SECRET) {
  return {
    'webhook-id': 'evt-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt-1', at, body),
  };
}

test('a delivery signed with the secret is returned with its id', () => {
  for (const headers of [delivery(), new Headers(delivery())]) {
    for (const form of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      expect(verifyWebhook(headers, form, SECRET)).toEqual({ ...JSON.parse(body), id: 'evt-1' });
    }
  }
});

test('one valid signature of several is enough, so that a secret can be rotated', () => {
  const headers = delivery();
  const other = delivery(new Date(), `whsec_${Buffer.from('another secret').toString('base64')}`);
  const both = `${other['webhook-signature']} ${headers['webhook-signature']}`;
  expect(verifyWebhook({ ...headers, 'webhook-signature': both }, body, SECRET).id).toBe('evt-1');
});

test('a secret that isn’t base64 is used as its bytes', () => {
  const secret = 'a secret of words';
  const at = new Date();
  const signature = new Webhook(secret, { format: 'raw' }).sign('evt-1', at, body);
  const headers = { ...delivery(at), 'webhook-signature': signature };
  expect(verifyWebhook(headers, body, secret).id).toBe('evt-1');
});

test.each([
  ['altered', delivery(), body.replace('Kiwi', 'Plum')],
  ['under another id', { ...delivery(), 'webhook-id': 'evt-2' }, body],
  ['older than five minutes', delivery(new Date(Date.now() - 301_000)), body],
  ['without headers', {}, body],
  ['signed with another secret', delivery(new Date(), `whsec_${btoa('another secret')}`), body],
])('a delivery %s is refused', (_what, headers, text) => {
  expect(() => verifyWebhook(headers, text, SECRET)).toThrow(WebhookSignatureError);
});
