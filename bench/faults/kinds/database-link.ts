import { setTimeout as sleep } from 'node:timers/promises';
import { startTcpProxy, type TcpProxy } from '../../../apps/server/test/servers/tcp-proxy.ts';
import { until } from '../../../apps/server/test/until.ts';
import { temporaryServer } from '../../lib/servers.ts';
import type { Fault } from '../fault.ts';
import { STRIKES, strikeInTurn } from '../strikes.ts';

/** Time limits for a response during any failure, and for recovery once the link works again. Milliseconds. */
const ANSWERED_WITHIN = 10_000;
const RECOVERS_WITHIN = 5_000;
const ASK_EVERY_MS = 250;
/** Time limit for each wait, after which the run fails. Milliseconds. */
const PATIENCE = 60_000;

let wire: TcpProxy | null = null;

export const databaseLink: Fault = {
  name: 'database-link',
  title:
    'the connection between server and database is slow, cut, frozen or reset, or loses replies',
  async installation() {
    const server = await temporaryServer();
    const url = new URL(await server.database('faults'));
    const target = { path: `${url.searchParams.get('host')}/.s.PGSQL.5432` };
    const proxy = await startTcpProxy(target);
    wire = proxy;
    return {
      database: `postgres://${url.username}@127.0.0.1:${proxy.port}/faults`,
      async release() {
        await proxy.close();
        await server.stop();
      },
    };
  },
  async run({ installation: { url }, seconds, log, late }, signal, random) {
    if (wire === null) throw new Error('the proxy was not started');
    let [slowest, longest] = [0, 0];
    const over = new AbortController();
    const asking = (async () => {
      while (!over.signal.aborted) {
        const asked = performance.now();
        await ask(`${url}/api/messages/admin/inbox`, 'Bearer of-nobody');
        slowest = Math.max(slowest, performance.now() - asked);
        await sleep(ASK_EVERY_MS);
      }
    })();
    const strikes = Object.values(STRIKES);
    const struck = await strikeInTurn(wire, strikes, { seconds, random, signal }, async (count) => {
      const restored = performance.now();
      await until(
        'the server serves',
        async () => (await ask(`${url}/api/health`)) === 200,
        PATIENCE,
      );
      const ms = performance.now() - restored;
      longest = Math.max(longest, ms);
      if (ms > RECOVERS_WITHIN) late(`it took ${ms.toFixed(0)} ms to recover`);
      log(`struck ${count} times; back after ${ms.toFixed(0)} ms`);
    });
    over.abort();
    await asking;
    if (slowest > ANSWERED_WITHIN) late(`a response took ${slowest.toFixed(0)} ms`);
    const figures = {
      strikes: struck,
      'connections broken': wire.counts.broken,
      'responses within': `${slowest.toFixed(0)} ms`,
      'recovered within': `${longest.toFixed(0)} ms`,
    };
    return { figures };
  },
};

/** Sends a GET request. @returns the status; 0 without a response */
async function ask(url: string, authorization = ''): Promise<number> {
  const init = { headers: { authorization }, signal: AbortSignal.timeout(PATIENCE) };
  const response = await fetch(url, init).catch(() => null);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}
