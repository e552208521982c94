import { describe, expect, it } from 'vitest';
import { buildPending } from '../../testing/build-message.ts';
import {
  addPending,
  confirmPending,
  EMPTY_OUTBOX,
  failPending,
  isSending,
  newTempId,
  removePending,
} from './outbox.ts';

const pending = (tempId: string) => buildPending({ tempId });

describe('the outbox', () => {
  it('gives messages unique ids with the temporary prefix', () => {
    const ids = Array.from({ length: 100 }, newTempId);
    expect(new Set(ids).size).toBe(100);
    expect(ids.every((id) => /^temp-[0-9a-f-]{36}$/.test(id))).toBe(true);
  });

  it('blocks while a send is in progress, but not after it failed', () => {
    const sending = addPending(EMPTY_OUTBOX, pending('temp-1'));
    expect(isSending(sending)).toBe(true);
    expect(isSending(failPending(sending, 'temp-1', 'No'))).toBe(false);
  });

  it('drops a confirmed message but remembers its temporary id', () => {
    const outbox = confirmPending(addPending(EMPTY_OUTBOX, pending('temp-1')), 'temp-1', {
      id: 'm1',
    });
    expect(outbox).toEqual({ pending: [], tempIds: { m1: 'temp-1' } });
  });

  it('accepts the event and the confirmation of a message in either order', () => {
    const once = confirmPending(addPending(EMPTY_OUTBOX, pending('temp-1')), 'temp-1', {
      id: 'm1',
    });
    expect(confirmPending(once, 'temp-1', { id: 'm1' })).toBe(once);
  });

  it('accepts a second confirmation after a retry', () => {
    const sending = addPending(EMPTY_OUTBOX, pending('temp-1'));
    const again = addPending(confirmPending(sending, 'temp-1', { id: 'm1' }), pending('temp-1'));
    expect(confirmPending(again, 'temp-1', { id: 'm1' }).pending).toEqual([]);
  });

  it('ignores confirmations of messages that other clients sent', () => {
    expect(confirmPending(EMPTY_OUTBOX, 'temp-9', { id: 'm9' })).toBe(EMPTY_OUTBOX);
  });

  it('keeps the position of a retried message', () => {
    const two = addPending(addPending(EMPTY_OUTBOX, pending('temp-1')), pending('temp-2'));
    const retried = addPending(failPending(two, 'temp-1', 'No'), pending('temp-1'));
    expect(retried.pending.map(({ tempId, status }) => [tempId, status])).toEqual([
      ['temp-1', 'sending'],
      ['temp-2', 'sending'],
    ]);
  });

  it('removes a discarded message', () => {
    expect(removePending(addPending(EMPTY_OUTBOX, pending('temp-1')), 'temp-1').pending).toEqual(
      [],
    );
  });
});
