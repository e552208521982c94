import { createClient } from 'redis';

/** Until a connection is made, or has failed. Milliseconds. */
const CONNECT_MS = 2_000;
/** The longest pause between two tries to connect. Milliseconds. */
const LONGEST_PAUSE_MS = 1_000;

/** One connection to Redis, which comes back by itself however it was lost, also where it only fell silent. */
export interface RedisLink {
  /**
   * Runs a command.
   * @param withinMs without an answer for so long the connection counts as lost, and is made anew
   * @throws Error at once while there is no connection; otherwise in time
   */
  run<T>(command: (client: RedisClient) => Promise<T>, withinMs: number): Promise<T>;
  isUp(): boolean;
  close(): void;
}

export type RedisClient = ReturnType<typeof connect>;

/** @param changed is told of each connection that is made or lost, with what went wrong */
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
    // It goes on trying until it is told to end.
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
    // What can't be told now is told otherwise, not in an hour.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, LONGEST_PAUSE_MS),
    },
  });
