import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { isSound, soak } from './run.ts';
import type { Sample } from './samples.ts';

const MEGABYTE = 1_000_000;

/** One minute of samples, one second apart, with fluctuations of 0.1 MB. */
const samples = (change: (second: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 60 }, (_, index) => ({
    at: index + 1,
    heap: 40 * MEGABYTE + 0.1 * MEGABYTE * Math.sin(index * 2.4),
    external: 0,
    rss: 100 * MEGABYTE,
    handles: 20,
    descriptors: 40,
    connections: 10,
    ...change(index),
  }));

test('fluctuations, and growth during the warm-up only, are not a leak', () => {
  expect(judge(samples(() => ({}))).broken).toEqual([]);
  const warmingUp = judge(samples((second) => ({ descriptors: Math.min(20 + second, 35) })));
  expect(warmingUp.broken).toEqual([]);
});

test('a growing heap and growing handles, files and connections are found', () => {
  const growing = (second: number) => 40 * MEGABYTE + second * 0.05 * MEGABYTE;
  expect(judge(samples((second) => ({ heap: growing(second) }))).broken).toEqual([
    expect.stringContaining('the heap grows'),
  ]);
  for (const name of ['handles', 'descriptors', 'connections'] as const) {
    const { broken } = judge(samples((second) => ({ [name]: 20 + second })));
    expect(broken).toEqual([expect.stringContaining(`more ${name}`)]);
  }
});

test('too few samples cannot be judged', () => {
  expect(() => judge(samples(() => ({})).slice(0, 11))).toThrow('too short');
});

test('a leaking server is caught', async () => {
  const report = await soak({ seconds: 8, every: 0.5, senders: 6, fans: 3, leak: 'heap' });
  expect(isSound(report)).toBe(false);
  expect(report.broken[0]).toContain('the heap grows');
  expect(report.failed).toBe(0);
});
