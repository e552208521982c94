import { Agent, get } from 'node:http';

/** A GET whose time is taken. @returns milliseconds until the reply is there whole. @throws Error for any status but 200 */
export type TimedGet = (url: string) => Promise<number>;

/**
 * Calls by one connection that is kept open, with as little of its own as Node can: what `fetch` adds to both sides would
 * make them more alike than they are.
 */
export function timedGet(headers: Readonly<Record<string, string>> = {}): {
  get: TimedGet;
  close(): void;
} {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (url) =>
      new Promise((resolve, reject) => {
        const started = performance.now();
        get(url, { agent, headers }, (response) => {
          response.on('data', () => undefined);
          response.once('error', reject);
          response.once('end', () => {
            if (response.statusCode === 200) resolve(performance.now() - started);
            else reject(new Error(`GET ${url}: ${response.statusCode}`));
          });
        }).once('error', reject);
      }),
    close: () => agent.destroy(),
  };
}
