import { createClient } from 'redis';

/** How long a server may take to answer. Milliseconds. */
const ANSWER_MS = 1_000;

const SHAPE =
  /^(rediss?)(\+sentinel)?:\/\/(?:([^/?#]*)@)?([^/?#@]+)\/?([^/?#]*)\/?([^/?#]*)(?:\?([^#]*))?$/;

/** A URL with several hosts. */
interface Several {
  readonly protocol: string;
  readonly credentials: string;
  readonly hosts: readonly string[];
  /** Null: the hosts are the servers themselves. */
  readonly sentinel: { readonly master: string; readonly credentials: string } | null;
  readonly database: string;
}

/** Parses a URL with several hosts or with Sentinels; null for any other URL. */
function parse(url: string): Several | null {
  const [, protocol = '', plus, credentials, hosts = '', first = '', second = '', query = ''] =
    SHAPE.exec(url) ?? [];
  const names = hosts.split(',');
  const isSentinel = plus !== undefined;
  if (!isSentinel && names.length < 2) return null;
  const password = new URLSearchParams(query).get('sentinel_password');
  return {
    protocol,
    credentials: credentials === undefined ? '' : `${credentials}@`,
    hosts: names.map((name) => (isSentinel && !/:\d+$/.test(name) ? `${name}:26379` : name)),
    sentinel: isSentinel
      ? {
          master: decodeURIComponent(first),
          credentials: password === null ? '' : `:${encodeURIComponent(password)}@`,
        }
      : null,
    database: isSentinel ? second : first,
  };
}

/** Checks whether a URL names a server, several servers of which one accepts writes, or the Sentinels of a named master. */
export function isRedisUrl(url: string): boolean {
  if (!/^rediss?(\+sentinel)?:\/\//.test(url)) return false;
  const several = parse(url);
  if (several === null) return URL.canParse(url) && !url.includes('+sentinel');
  const { protocol, credentials, hosts, sentinel } = several;
  return (
    sentinel?.master !== '' &&
    hosts.every(
      (host) => !host.startsWith(':') && URL.canParse(`${protocol}://${credentials}${host}`),
    )
  );
}

/**
 * Returns the URL of the server that takes writes. A URL that names a single server is returned unchanged.
 * @throws Error if no server reports that it takes writes
 */
export async function findRedis(url: string): Promise<string> {
  const several = parse(url);
  if (several === null) return url;
  const { protocol, credentials, hosts, sentinel, database } = several;
  const named = (host: string) => `${protocol}://${credentials}${host}/${database}`;
  const candidates =
    sentinel === null
      ? hosts.map(named)
      : [
          named(
            await Promise.any(
              hosts.map((host) =>
                masterOf(`${protocol}://${sentinel.credentials}${host}`, sentinel.master),
              ),
            ),
          ),
        ];
  // A Sentinel may not know yet that its master is gone, and a former master may have become a replica.
  return Promise.any(candidates.map(async (each) => ((await takesWrites(each)) ? each : fail())));
}

async function masterOf(sentinel: string, name: string): Promise<string> {
  const [host, port] = (await ask(sentinel, ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name])) ?? [];
  if (host === undefined) throw new Error(`the Sentinel does not know a master ${name}`);
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const takesWrites = async (url: string) => (await ask(url, ['ROLE']))?.[0] === 'master';

function fail(): never {
  throw new Error('this Redis does not take writes');
}

async function ask(url: string, command: string[]): Promise<string[] | null> {
  const client = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: ANSWER_MS, reconnectStrategy: false },
  });
  client.on('error', () => undefined);
  const late = setTimeout(() => client.destroy(), ANSWER_MS);
  try {
    await client.connect();
    return await client.sendCommand(command);
  } finally {
    clearTimeout(late);
    if (client.isOpen) client.destroy();
  }
}
