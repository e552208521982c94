import { gzipSync } from 'node:zlib';
import type { Side, Slowness } from './sides.ts';
import type { Watched } from './watch-page.ts';

/** Milliseconds until everything after the first rows has loaded. */
const SETTLE_MS = 2_500;

/** The figures of a first visit. Milliseconds, KB (1,000 bytes). */
export interface Loaded {
  readonly usableMs: number;
  readonly lcpMs: number;
  readonly blockingMs: number;
  /** Size of the scripts requested until the page was usable: as transferred, and as compressed by gzip. */
  readonly scriptsKb: number;
  readonly gzippedKb: number;
  /** Size of all scripts, including prefetched ones, compressed by gzip. */
  readonly idleKb: number;
  /** Requests until the page was usable. */
  readonly requests: number;
}

export async function load(side: Side, slowness: Slowness): Promise<Loaded> {
  const page = await side.open(slowness);
  try {
    await page.goto(side.url);
    await page.waitForFunction(() => (globalThis as Watched).benchWatch.usable > 0);
    await page.waitForTimeout(SETTLE_MS * Math.sqrt(slowness.cpu));
    const { usable, lcp, blocking, resources } = await page.evaluate(() => {
      const { benchWatch } = globalThis as Watched;
      const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      const resources = all.map(({ name, encodedBodySize, startTime }) => ({
        name,
        encodedBodySize,
        isEarly: startTime < benchWatch.usable,
      }));
      return { ...benchWatch, resources };
    });
    const scripts = resources.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    const early = scripts.filter(({ isEarly }) => isEarly);
    const kb = (bytes: readonly number[]) => bytes.reduce((sum, size) => sum + size, 0) / 1000;
    const gzippedKb = async (files: typeof scripts) =>
      kb(await Promise.all(files.map(({ name }) => gzippedBytes(name))));
    return {
      usableMs: usable,
      lcpMs: lcp,
      blockingMs: blocking,
      scriptsKb: kb(early.map(({ encodedBodySize }) => encodedBodySize)),
      gzippedKb: await gzippedKb(early),
      idleKb: await gzippedKb(scripts),
      requests: resources.filter(({ isEarly }) => isEarly).length,
    };
  } finally {
    await page.context().close();
  }
}

const sizes = new Map<string, number>();

async function gzippedBytes(url: string): Promise<number> {
  const known = sizes.get(url);
  if (known !== undefined) return known;
  const bytes = gzipSync(new Uint8Array(await (await fetch(url)).arrayBuffer())).length;
  sizes.set(url, bytes);
  return bytes;
}
