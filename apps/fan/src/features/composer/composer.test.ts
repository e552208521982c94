import { acceptFiles } from '@stagedoor/browser/file-rules';
import { expect, test } from 'vitest';
import {
  addPending,
  changePending,
  confirmPending,
  EMPTY_OUTBOX,
  lasting,
  type PendingMessage,
  removePending,
} from './state.ts';

const pending = (clientId: string, overrides: Partial<PendingMessage> = {}): PendingMessage => ({
  clientId,
  content: clientId,
  replyTo: null,
  files: [],
  attachments: [],
  created_at: '2026-11-21T10:00:00.000Z',
  status: 'waiting',
  error: null,
  progress: 0,
  ...overrides,
});

test('a message confirmed twice is removed once, and its bubble keeps its key', () => {
  const two = addPending(addPending(EMPTY_OUTBOX, pending('a')), pending('b'));
  const once = confirmPending(two, 'a', 'm1');
  expect(once.pending.map(({ clientId }) => clientId)).toEqual(['b']);
  expect(once.keys).toEqual({ m1: 'a' });
  expect(confirmPending(once, 'a', 'm1')).toBe(once);
  expect(confirmPending(once, 'of another tab', 'm2')).toBe(once);
});

test('adding a duplicate, discarding or changing a message affects no other message', () => {
  const two = addPending(addPending(EMPTY_OUTBOX, pending('a')), pending('b'));
  expect(addPending(two, pending('a'))).toBe(two);
  expect(removePending(two, 'a').pending).toEqual([pending('b')]);
  expect(changePending(two, 'b', { status: 'failed' }).pending[0]).toBe(two.pending[0]);
});

test('a message whose files are not uploaded is stored as failed, with its text only', () => {
  const files = [new File(['x'], 'x.txt')];
  const sending = pending('a', { status: 'sending' });
  const outbox = {
    ...EMPTY_OUTBOX,
    pending: [sending, pending('b', { files }), pending('c', { files, content: '' })],
  };
  expect(lasting(outbox)).toEqual([
    sending,
    pending('b', { status: 'failed', error: 'This message could not be sent. Try again.' }),
  ]);
});

test('files that are empty, too large or too many are rejected with a reason', () => {
  const file = (name: string, size: number, type = 'image/png') => ({ name, size, type });
  const fits = file('fits.png', 25 * 1024 * 1024);
  expect(acceptFiles(0, [fits, file('empty.png', 0), file('big.png', fits.size + 1)])).toEqual({
    accepted: [fits],
    objections: ['empty.png is empty.', 'big.png is larger than 25 MB.'],
  });
  expect(acceptFiles(0, [file('film.mp4', 100 * 1024 * 1024, 'video/mp4')]).accepted).toHaveLength(
    1,
  );
  expect(acceptFiles(19, [fits, fits])).toEqual({
    accepted: [fits],
    objections: ['A message can have at most 20 files.'],
  });
});
