import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from './api.ts';
import { createPersistence } from './persist.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Creates work that fails this many times with this status, then succeeds. */
function failing(times: number, status = 503) {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries <= times) throw new ApiError({ status });
  };
  return { work, tries: () => tries };
}

it.each([0, 429, 500, 503])(
  'work that fails with %i is retried until it succeeds',
  async (status) => {
    const { work, tries } = failing(6, status);
    const done = createPersistence().run('the inbox', work);
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(tries()).toBe(7);
  },
);

it.each([401, 404, 507])('work that is refused with %i is not retried', async (status) => {
  const { work, tries } = failing(1, status);
  await expect(createPersistence().run('the inbox', work)).rejects.toThrow(ApiError);
  expect(tries()).toBe(1);
});

it('a call does nothing while work of the same name waits for a retry', async () => {
  const persistence = createPersistence();
  const first = failing(1);
  const second = failing(0);
  const done = persistence.run('the inbox', first.work);
  await vi.advanceTimersByTimeAsync(10);
  await persistence.run('the inbox', second.work);
  expect(second.tries()).toBe(0);
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(first.tries()).toBe(2);
});

it('a call runs even if work of the same name is running, whose response may be older', async () => {
  const persistence = createPersistence();
  let answer = () => {};
  const slow = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const done = persistence.run('the inbox', () => slow);
  const second = failing(0);
  await persistence.run('the inbox', second.work);
  expect(second.tries()).toBe(1);
  answer();
  await done;
});

it('stopping cancels all retries', async () => {
  const persistence = createPersistence();
  const { work, tries } = failing(100);
  const done = persistence.run('the inbox', work);
  await vi.advanceTimersByTimeAsync(10);
  persistence.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(tries()).toBe(1);
});
