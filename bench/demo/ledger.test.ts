import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

const message = (seq: number, conversation = 'c') => ({
  id: `${conversation}-${seq}`,
  conversation_id: conversation,
  seq,
});

/** Creates a ledger with two confirmed messages from a fan, and the sockets of a staff member and the fan. */
function twoSent() {
  const ledger = new Ledger();
  const staff = ledger.watch('staff', null);
  const fan = ledger.watch('fan', 'c');
  for (const seq of [1, 2]) ledger.confirm(message(seq), 'fan', performance.now());
  return { ledger, staff, fan };
}

test('messages that arrive everywhere once and in order are sound', () => {
  const { ledger, staff, fan } = twoSent();
  for (const watcher of [staff, fan])
    for (const seq of [1, 2]) ledger.arrive(watcher, message(seq));
  expect(ledger.deliveries()).toMatchObject({ expected: 4, missing: 0 });
  expect(ledger).toMatchObject({ repeated: 0, outOfOrder: 0 });
});

test('a message missing at one socket is lost, although others received it', () => {
  const { ledger, staff, fan } = twoSent();
  for (const seq of [1, 2]) ledger.arrive(staff, message(seq));
  ledger.arrive(fan, message(2));
  expect(ledger.deliveries()).toMatchObject({ expected: 4, missing: 1 });
});

test('a message that arrives twice at one socket is repeated', () => {
  const { ledger, staff, fan } = twoSent();
  ledger.arrive(staff, message(1));
  ledger.arrive(fan, message(1));
  expect(ledger.repeated).toBe(0);
  ledger.arrive(staff, message(1));
  expect(ledger.repeated).toBe(1);
});

test('a message after a later one of the same conversation is out of order', () => {
  const { ledger, staff } = twoSent();
  ledger.arrive(staff, message(2));
  ledger.arrive(staff, message(1, 'other'));
  expect(ledger.outOfOrder).toBe(0);
  ledger.arrive(staff, message(1));
  expect(ledger.outOfOrder).toBe(1);
});

test('a fan’s socket should receive only its own conversation', () => {
  const { ledger } = twoSent();
  ledger.watch('fan', 'other');
  expect(ledger.deliveries().expected).toBe(4);
});

test('a socket that was away is not expected to receive what was sent meanwhile', () => {
  const { ledger, staff } = twoSent();
  ledger.interrupted(staff);
  expect(ledger).toMatchObject({ reconnects: 1 });
  expect(ledger.deliveries().expected).toBe(2);
});
