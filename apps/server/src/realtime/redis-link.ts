import { createClient } from 'redis';

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
  let up = false;
  let closed = false;
  let client = open();

  function open(): RedisClient {
    const opened = connect(url);
    const note = (isUp: boolean, error: Error | null) => {
      if (opened !== client || closed || (up === isUp && !isUp)) return;
      up = isUp;
      changed(isUp, error);
    };
    opened.on('ready', () => note(true, null));
    // Without a listener a lost connection would end the process.
    opened.on('error', (error: Error) => note(false, error));
    // The client retries until it is destroyed.
    opened.connect().catch(() => undefined);
    return opened;
  }

  function renew(silent: RedisClient): void {
    if (silent !== client || closed) return;
    up = false;
    changed(false, new Error('Redis does not respond'));
    client = open();
    silent.destroy();
  }

  return {
    async run(command, withinMs) {
      if (!up) throw new Error('Redis is down');
      const asked = client;
      let timer: NodeJS.Timeout | undefined;
      const silence = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => {
          reject(new Error('Redis does not respond'));
          renew(asked);
        }, withinMs);
      });
      return Promise.race([command(asked), silence]).finally(() => clearTimeout(timer));
    },
    isUp: () => up,
    close() {
      closed = true;
      up = false;
      client.destroy();
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
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, LONGEST_PAUSE_MS),
    },
  });
