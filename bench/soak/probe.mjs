// Preloaded into the server: on SIGUSR2 it collects garbage and records the memory in use. With SOAK_LEAK it also leaks on every
// request, to prove that the test notices.
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
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const handles = resources.filter((name) => name !== 'Timeout' && name !== 'Immediate').length;
  const line = JSON.stringify({ heap: heapUsed, external, handles });
  appendFileSync(process.env.SOAK_FILE, `${line}\n`);
});

const leak = LEAKS[process.env.SOAK_LEAK];
if (leak) subscribe('http.server.request.start', leak);
