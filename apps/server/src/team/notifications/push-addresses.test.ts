import { expect, test } from 'vitest';
import { BROWSERS_ONLY, isPushEndpoint, postPush } from './post-push.ts';
import { isPublicAddress, lookupPublic } from './public-address.ts';

test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  '127.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'localhost',
  '',
])('%j is not public', (address) => expect(isPublicAddress(address)).toBe(false));

test.each([
  'http://push.example.com/x',
  'https://127.0.0.1/x',
  'https://[::1]/x',
  'https://10.0.0.1/x',
  'https://2130706433/x',
  'https://0x7f.1/x',
  'https://localhost/x',
  'https://localhost./x',
  'https://user:password@push.example.com/x',
  'ftp://push.example.com/x',
  'file:///etc/passwd',
  'https://push.example.com/x',
  'https://8.8.8.8/x',
  'https://fcm.googleapis.com.evil.example/x',
  'https://evil-push.apple.com.example/x',
  'https://push.apple.com/x',
  'https://evilpush.services.mozilla.com/x',
  'https://fcm.googleapis.com./x',
  'nonsense',
])('%s is not an allowed push address', (address) =>
  expect(isPushEndpoint(address, BROWSERS_ONLY)).toBe(false),
);

test.each([
  'https://fcm.googleapis.com/fcm/send/x',
  'https://updates.push.services.mozilla.com/wpush/v2/x',
  'https://web.push.apple.com/x',
  'https://wns2-bl2p.notify.windows.com/w/?token=x',
])('%s belongs to a browser’s push service', (address) =>
  expect(isPushEndpoint(address, BROWSERS_ONLY)).toBe(true),
);

test('a setting adds push services, by full name or with all subdomains', () => {
  const rules = { allowLoopback: false, services: ['push.example.com', '*.push.example.org'] };
  expect(isPushEndpoint('https://push.example.com/x', rules)).toBe(true);
  expect(isPushEndpoint('https://a.push.example.org/x', rules)).toBe(true);
  expect(isPushEndpoint('https://fcm.googleapis.com/fcm/send/x', rules)).toBe(true);
  expect(isPushEndpoint('https://a.push.example.com/x', rules)).toBe(false);
  expect(isPushEndpoint('https://push.example.org/x', rules)).toBe(false);
  expect(isPushEndpoint('http://push.example.com/x', rules)).toBe(false);
});

test('this machine is allowed only in tests', () => {
  expect(isPushEndpoint('http://127.0.0.1:1234/x', BROWSERS_ONLY)).toBe(false);
  expect(isPushEndpoint('http://127.0.0.1:1234/x', { allowLoopback: true })).toBe(true);
  expect(isPushEndpoint('http://10.0.0.1/x', { allowLoopback: true })).toBe(false);
});

test('a name that resolves to this machine is not connected to', async () => {
  const error = await new Promise((resolve) => {
    lookupPublic('localhost', { all: true }, (failure) => resolve(failure));
  });
  expect(String(error)).toContain('not public');
  const request = { endpoint: 'https://127.0.0.1/x', headers: {}, body: Buffer.alloc(0) };
  await expect(
    (async () => postPush(request, BROWSERS_ONLY, new AbortController().signal))(),
  ).rejects.toThrow('allowed push service');
});
