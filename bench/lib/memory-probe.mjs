// Preloaded into a server: on SIGUSR2 it collects garbage and records the memory in use. With PROBE_LEAK it also leaks on every
// request, to prove that the soak test notices.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, openSync } from 'node:fs';

const leaks = [];
const LEAKS = {
  heap: () => leaks.push(Array.from({ length: 2_000 }, (_, index) => `${index} ${Math.random()}`)),
  handles: () => leaks.push(openSync('/dev/null')),
};

process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const handles = resources.filter((name) => name !== 'Timeout' && name !== 'Immediate').length;
  const line = JSON.stringify({ heap: heapUsed, external, rss, handles });
  appendFileSync(process.env.PROBE_FILE, `${line}\n`);
});

const leak = LEAKS[process.env.PROBE_LEAK];
if (leak) subscribe('http.server.request.start', leak);
