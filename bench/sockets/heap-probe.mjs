// Preloaded into a server: on SIGUSR2 it collects garbage and appends the memory in use to PROBE_FILE.
import { appendFileSync } from 'node:fs';

process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  appendFileSync(process.env.PROBE_FILE, `${JSON.stringify({ heap: heapUsed + external, rss })}\n`);
});
