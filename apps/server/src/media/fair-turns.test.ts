import { expect, test } from 'vitest';
import { until } from '../../test/until.ts';
import { createFairTurns, type Worker } from './fair-turns.ts';

const staff: Worker = { kind: 'staff', id: 'staff' };
const fan = (id: string): Worker => ({ kind: 'fan', id });

/** Creates turns whose end the test controls. */
function watchedTurns(slots: number) {
  const inTurn = createFairTurns(slots);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    queue: (by: Worker, name: string, signal = new AbortController().signal) =>
      inTurn(by, signal, () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      }),
    async end(name: string) {
      (await until(`${name} starts`, () => ends.get(name)))();
    },
  };
}

test('nobody gets two turns at once, and others use the free slots', async () => {
  const { queue, started } = watchedTurns(2);
  for (const name of ['a1', 'a2', 'a3']) void queue(fan('a'), name);
  void queue(fan('b'), 'b1');
  await expect.poll(() => started).toEqual(['a1', 'b1']);
});

test('one person’s many tasks delay another’s by at most one, and staff come before fans', async () => {
  const { queue, started, end } = watchedTurns(1);
  for (const name of ['a1', 'a2', 'a3']) void queue(fan('a'), name);
  void queue(fan('b'), 'b1');
  void queue(staff, 's1');
  void queue(fan('b'), 'b2');
  for (const name of ['a1', 's1', 'b1', 'a2', 'b2', 'a3']) await end(name);
  expect(started).toEqual(['a1', 's1', 'b1', 'a2', 'b2', 'a3']);
});

test('a task whose sender leaves is never started and delays nobody; a failure frees its slot', async () => {
  const inTurn = createFairTurns(1);
  const { signal } = new AbortController();
  const failing = inTurn(fan('a'), signal, () => Promise.reject(new Error('broken')));
  const leaving = new AbortController();
  const left = inTurn(fan('b'), leaving.signal, () => Promise.resolve('started'));
  leaving.abort(new Error('gone'));
  const last = inTurn(fan('b'), signal, () => Promise.resolve('last'));
  await expect(failing).rejects.toThrow('broken');
  await expect(left).rejects.toThrow('gone');
  expect(await last).toBe('last');
});
