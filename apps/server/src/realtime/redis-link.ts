import { createClient } from 'redis';
import { findRedis } from './find-redis.ts';

/** Timeout for connecting. Milliseconds. */
const CONNECT_MS = 2_000;
/** The maximum pause between two attempts to connect. Milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/** A connection to Redis that reconnects by itself after any loss, including a silent one. */
export interface RedisLink {
  /**
   * Runs a command.
   * @param withinMs after this time without an answer, the connection counts as lost and is replaced
   * @throws Error immediately if there is no connection; otherwise within the time limit
   */
  run<T>(command: (client: RedisClient) => Promise<T>, withinMs: number): Promise<T>;
  isUp(): boolean;
  close(): void;
}

export type RedisClient = ReturnType<typeof connect>;

/** @param changed called each time the connection is made or lost, with the error if there is one */
export function openRedisLink(
  url: string,
  changed: (isUp: boolean, error: Error | null) => void,
): RedisLink {
  let client: RedisClient | null = null;
  let closed = false;

  /** Retries until it is connected. Each try looks for the server that accepts writes at that moment. */
  async function open(): Promise<void> {
    for (let tries = 0; !closed && client === null; tries++) {
      try {
        const opened = connect(await findRedis(url));
        opened.on('error', (error: Error) => lose(opened, error));
        opened.on('end', () => lose(opened, new Error('Redis closed the connection')));
        await opened.connect();
        if (closed) opened.destroy();
        else {
          client = opened;
          changed(true, null);
        }
      } catch (error) {
        if (closed) return;
        changed(false, error as Error);
        await new Promise((resolve) =>
          setTimeout(resolve, Math.min(50 * 2 ** tries, LONGEST_PAUSE_MS)).unref(),
        );
      }
    }
  }

  function lose(lost: RedisClient, error: Error): void {
    if (lost !== client) return;
    client = null;
    if (lost.isOpen) lost.destroy();
    changed(false, error);
    void open();
  }

  void open();
  return {
    async run(command, withinMs) {
      if (client === null) throw new Error('Redis is down');
      const asked = client;
      let timer: NodeJS.Timeout | undefined;
      const silence = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          const error = new Error('Redis does not respond');
          reject(error);
          lose(asked, error);
        }, withinMs);
      });
      try {
        return await Promise.race([command(asked), silence]);
      } catch (error) {
        // A failover has made this server a replica.
        if (/READONLY|EXECABORT/.test(String(error))) lose(asked, error as Error);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    isUp: () => client !== null,
    close() {
      closed = true;
      client?.destroy();
      client = null;
    },
  };
}

const connect = (url: string) =>
  createClient({
    url,
    RESP: 2,
    // A command that can't be sent now must fail, not run much later.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      // The link reconnects, maybe to another server.
      reconnectStrategy: false,
    },
  });
