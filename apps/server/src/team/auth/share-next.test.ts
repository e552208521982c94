import { expect, test } from 'vitest';
import { remember } from './remember.ts';
import { shareNext } from './share-next.ts';

/** A lookup that resolves on demand. */
function lookUp() {
  const begun: { key: string; answer(value: number): void; fail(error: Error): void }[] = [];
  const ask = shareNext(
    (key) =>
      new Promise<number>((answer, fail) => {
        begun.push({ key, answer, fail });
      }),
  );
  return { begun, ask };
}

test('calls during a lookup all share the next one', async () => {
  const { begun, ask } = lookUp();
  const first = ask('a');
  const later = [ask('a'), ask('a')];
  begun[0]?.answer(1);
  expect(await first).toBe(1);
  expect(begun).toHaveLength(2);
  begun[1]?.answer(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('a call with another key does not wait', () => {
  const { begun, ask } = lookUp();
  void ask('a');
  void ask('b');
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('a failed lookup does not fail the calls made during it', async () => {
  const { begun, ask } = lookUp();
  const first = ask('a');
  const later = ask('a');
  begun[0]?.fail(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await Promise.resolve();
  begun[1]?.answer(2);
  expect(await later).toBe(2);
});

test('after all lookups finish, the next call looks up immediately', async () => {
  const { begun, ask } = lookUp();
  for (const round of [1, 2]) {
    const answer = ask('a');
    begun[round - 1]?.answer(round);
    expect(await answer).toBe(round);
  }
});

test('cached lookups answer in the order of the calls', async () => {
  const { begun, ask } = lookUp();
  const recent = remember(ask, 60_000);
  const answered: string[] = [];
  const call = (name: string) => recent.ask('a').then(() => answered.push(name));
  const calls = [call('first'), call('during the lookup')];
  begun[0]?.answer(1);
  await calls[0];
  calls.push(call('after the lookup'));
  await calls[2];
  expect(answered).toEqual(['first', 'during the lookup', 'after the lookup']);
});

test('a failed lookup is not cached', async () => {
  const { begun, ask } = lookUp();
  const recent = remember(ask, 60_000);
  const first = recent.ask('a');
  begun[0]?.fail(new Error('down'));
  await expect(first).rejects.toThrow('down');
  const later = recent.ask('a');
  begun[1]?.answer(2);
  expect(await later).toBe(2);
});
