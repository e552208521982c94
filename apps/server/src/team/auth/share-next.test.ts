import { expect, test } from 'vitest';
import { shareNext } from './share-next.ts';

/** A look-up whose answers come when they are told to. */
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

test('who asks while a look-up is under way is given the next one, which all of them share', async () => {
  const { begun, ask } = lookUp();
  const first = ask('a');
  const later = [ask('a'), ask('a')];
  begun[0]?.answer(1);
  expect(await first).toBe(1);
  expect(begun).toHaveLength(2);
  begun[1]?.answer(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
});

test('who asks for something else does not wait', () => {
  const { begun, ask } = lookUp();
  void ask('a');
  void ask('b');
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('a look-up that fails is not given to those who asked while it was under way', async () => {
  const { begun, ask } = lookUp();
  const first = ask('a');
  const later = ask('a');
  begun[0]?.fail(new Error('down'));
  await expect(first).rejects.toThrow('down');
  await Promise.resolve();
  begun[1]?.answer(2);
  expect(await later).toBe(2);
});

test('once all is answered the next question is looked up at once', async () => {
  const { begun, ask } = lookUp();
  for (const round of [1, 2]) {
    const answer = ask('a');
    begun[round - 1]?.answer(round);
    expect(await answer).toBe(round);
  }
});
