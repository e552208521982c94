import { afterAll, expect, test } from 'vitest';
import { temporaryServer } from './lib/servers.ts';
import { measure } from './send/measure.ts';
import { type Ratio, ratios } from './send/report.ts';
import { type Subject, startSubject } from './send/subjects.ts';

/** Far from what bench:send measures: a failure here means a regression, not a busy machine. */
const BOUNDS: Readonly<Record<string, (ratio: number) => boolean>> = {
  'rate / floor': (ratio) => ratio >= 0.3,
  'p50 / floor': (ratio) => ratio <= 3,
  'CPU / floor': (ratio) => ratio <= 3.2,
};
const SPANS = { warmUp: 0.3, rate: 1, latency: 1 };
const TRIES = 4;

const server = await temporaryServer();
const subjects: Subject[] = [];
afterAll(async () => {
  for (const subject of subjects) await subject.stop();
  await server.stop();
});

test('a send takes at most three times as long as with a bare server that stores and delivers it', async () => {
  for (const name of ['floor', 'ours'] as const) {
    subjects.push(await startSubject(name, { database: server.database, conversations: 1 }));
  }
  let missed: Ratio[] = [];
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const figures = [];
    for (const subject of subjects) figures.push([subject.name, await measure(subject, SPANS)]);
    const found = ratios([{ subjects: Object.fromEntries(figures), sql: null }]);
    missed = found.filter(({ name, value }) => BOUNDS[name]?.(value) === false);
    if (missed.length === 0) break;
  }
  expect(missed).toEqual([]);
});
