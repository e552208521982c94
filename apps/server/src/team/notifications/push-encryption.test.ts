import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { decryptPush } from '../../../test/servers/push-service.ts';
import { createVapid, isVapidPair, vapidKeyFrom } from '../../push/vapid.ts';
import { encryptPush, isPublicKey } from './push-encryption.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');
function pairOf(privateKey: string) {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(bytes(privateKey));
  return pair;
}

test('encrypts the example of RFC 8291 correctly', () => {
  const browser = pairOf('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94');
  const sender = pairOf('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw');
  const auth = bytes('BTBZMqHH6r4Tts7J_aSIgg');
  const body = encryptPush(
    Buffer.from('When I grow up, I want to be a watermelon'),
    { publicKey: browser.getPublicKey(), auth },
    sender,
    bytes('DGv6ra1nlYgDCS1FRnbzlw'),
  );
  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
  expect(decryptPush(body, browser, auth).toString()).toContain('watermelon');
});

test('encrypting the same message twice gives different results', () => {
  const keys = { publicKey: pairOf(`${'A'.repeat(42)}E`).getPublicKey(), auth: Buffer.alloc(16) };
  const [one, two] = [encryptPush(Buffer.from('x'), keys), encryptPush(Buffer.from('x'), keys)];
  expect(one.equals(two)).toBe(false);
});

test('only points on the curve are public keys', () => {
  expect(isPublicKey(pairOf(`${'A'.repeat(42)}E`).getPublicKey())).toBe(true);
  expect(isPublicKey(Buffer.alloc(65))).toBe(false);
  expect(isPublicKey(Buffer.alloc(65, 4))).toBe(false);
});

test('each installation has a stable key pair of its own', () => {
  const publicKeyOf = (secret: string) =>
    createVapid(vapidKeyFrom(Buffer.from(secret)), 'mailto:a@b.example').publicKey;
  expect(publicKeyOf('one')).toBe(publicKeyOf('one'));
  expect(publicKeyOf('one')).not.toBe(publicKeyOf('two'));
  expect(bytes(publicKeyOf('one'))).toHaveLength(65);
});

test('the configured keys must form a pair', () => {
  const key = vapidKeyFrom(Buffer.from('one'));
  const { publicKey } = createVapid(key, 'mailto:a@b.example');
  const privateKey = key.toString('base64url');
  expect(isVapidPair({ publicKey, privateKey })).toBe(true);
  expect(isVapidPair({ publicKey: publicKey.replace(/.$/, 'A'), privateKey })).toBe(false);
  expect(isVapidPair({ publicKey, privateKey: 'short' })).toBe(false);
  expect(isVapidPair({ publicKey, privateKey: 'A'.repeat(43) })).toBe(false);
});
