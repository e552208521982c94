import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Timeout for connecting to one of several servers. Milliseconds. */
const CONNECT_MS = 2_000;
/** How long to wait for the other servers once one has answered. Milliseconds. */
const OTHERS_MS = 300;

/** Thrown when no server can be used at the moment, or when this process may not use the database. */
export class Unavailable extends Error {}

const SHAPE = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/;

/** Splits a URL with several hosts, separated by commas, into a URL per host. Returns an empty list if any host is invalid. */
export function serverUrls(url: string): string[] {
  const [, start = '', hosts, rest = ''] = SHAPE.exec(url) ?? [];
  const names = hosts?.split(',') ?? [];
  const urls = names.map((host) => `${start}${host}${rest}`);
  const isValid = (each: string, index: number) =>
    URL.canParse(each) && (names.length === 1 || names[index] !== '');
  return urls.every(isValid) ? urls : [];
}

interface Server {
  readonly host: string;
  readonly port: number;
}

/** The fields and events of the driver's connection that its types omit. */
interface Connection extends NodeJS.EventEmitter {
  readonly stream: { destroy(): void };
}

/** The servers of one database URL: one of them takes writes, the others follow it. */
export class Servers {
  private readonly list: readonly Server[];
  private readonly connectionString: string;
  private readonly isWriter: boolean;
  private current: Server | null = null;
  private search: Promise<Server> | null = null;
  private readonly clients = new Set<ServerClient>();

  /** @param wanted `writer` accepts only the server that takes writes; `any` the first that answers */
  constructor(url: string, wanted: 'writer' | 'any') {
    const urls = serverUrls(url);
    this.connectionString = urls[0] ?? url;
    this.isWriter = wanted === 'writer';
    this.list =
      urls.length < 2
        ? []
        : urls.map((each) => {
            const { hostname, port } = new URL(each);
            return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 5432) };
          });
  }

  /** Returns connection settings. The server is chosen each time a connection is opened. */
  options(): { readonly connectionString: string; readonly servers: Servers } {
    return { connectionString: this.connectionString, servers: this };
  }

  /** Checks whether a parameter's value rules the server out. Servers report parameters on connecting and at each change. */
  forbids(name: string, value: string): boolean {
    const isReadOnly = name === 'in_hot_standby' || name === 'default_transaction_read_only';
    return this.isWriter && isReadOnly && value === 'on';
  }

  /**
   * Returns the server to connect to; null if the URL names only one. If the right server isn't known, asks all in parallel.
   * @throws Unavailable if no server can be used
   */
  async find(): Promise<Server | null> {
    if (this.list.length === 0 || this.current !== null) return this.current;
    this.search ??= this.ask().finally(() => {
      this.search = null;
    });
    return this.search;
  }

  private async ask(): Promise<Server> {
    const answers: { server: Server; timeline: string }[] = [];
    const asked = this.list.map(async (server) =>
      answers.push({ server, timeline: await this.timelineOf(server) }),
    );
    await Promise.any(asked).catch(() => {
      throw new Unavailable('no server of the database can be used');
    });
    // After a failover, two servers may accept writes for a moment: the old one may not know yet that it was replaced.
    await Promise.race([Promise.allSettled(asked), pause(OTHERS_MS)]);
    const [{ server }] = answers.toSorted((a, b) => (a.timeline < b.timeline ? 1 : -1)) as [
      (typeof answers)[0],
    ];
    this.current = server;
    for (const client of this.clients) if (client.server !== server) client.destroy();
    return server;
  }

  /** Returns a server's timeline number, which grows with each failover, as text of fixed length. */
  private async timelineOf(server: Server): Promise<string> {
    const client = new ServerClient({ ...this.options(), server });
    try {
      await client.connect();
      if (!this.isWriter) return '';
      const { rows } = await client.query<{ timeline: string }>(
        'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline',
      );
      return rows[0]?.timeline ?? '';
    } finally {
      client.destroy();
    }
  }

  opened(client: ServerClient): void {
    this.clients.add(client);
  }

  closed(client: ServerClient): void {
    this.clients.delete(client);
  }

  /** Makes the next connection look for the right server, because a connection to this client's server broke. */
  lost(client: ServerClient): void {
    this.clients.delete(client);
    if (client.server === this.current) this.current = null;
  }
}

export interface ServerOptions extends pg.ClientConfig {
  readonly servers?: Servers;
  /** The server to connect to; by default, {@link Servers} chooses one. */
  readonly server?: Server | null;
}

/** A connection to one of several servers. It ends as soon as that server stops taking writes. */
export class ServerClient extends pg.Client {
  server: Server | null;
  private readonly servers: Servers | undefined;

  constructor(options: ServerOptions = {}) {
    super(options);
    const { servers, server } = options;
    this.servers = servers;
    this.server = server ?? null;
    // Without a listener, the error would end the process. The next statement reports it.
    this.on('error', () => servers?.lost(this));
    this.on('end', () => servers?.closed(this));
    const { wire } = this;
    wire.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (servers?.forbids(parameterName, parameterValue))
        this.fail('this server does not take writes');
    });
    wire.on('errorMessage', ({ code }) => {
      // Deferred, so that the statement's caller gets this error first.
      if (code === '25006') process.nextTick(() => this.fail('this server has become read-only'));
    });
    // After this notice, PostgreSQL still reports the commit as successful, but a failover would lose it.
    wire.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.fail('the commit was not replicated');
    });
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
    const connected = this.open();
    if (callback === undefined) return connected;
    connected.then(() => callback(null), callback);
  }

  private async open(): Promise<this> {
    this.server ??= (await this.servers?.find()) ?? null;
    if (this.server === null) {
      await super.connect();
      return this;
    }
    Object.assign(this, this.server);
    this.servers?.opened(this);
    const late = setTimeout(() => this.destroy(), CONNECT_MS);
    try {
      await super.connect();
    } catch (error) {
      this.servers?.lost(this);
      throw error;
    } finally {
      clearTimeout(late);
    }
    return this;
  }

  private get wire(): Connection {
    return (this as unknown as { readonly connection: Connection }).connection;
  }

  private fail(reason: string): void {
    this.wire.emit('error', new Unavailable(reason));
    this.destroy();
  }

  /** Closes the connection without waiting for anything. */
  destroy(): void {
    this.wire.stream.destroy();
  }
}
