import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { until } from '../until.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The texts that the echo server received. */
const received: string[] = [];
const ends = new Set<Socket>();
const echo: Server = createServer((socket) => {
  ends.add(socket);
  socket.on('close', () => ends.delete(socket));
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    received.push(chunk.toString());
    socket.write(chunk);
  });
  socket.on('end', () => socket.end());
});
echo.listen(0, '127.0.0.1');
await once(echo, 'listening');
const { port } = echo.address() as { port: number };
afterAll(() => {
  for (const end of ends) end.destroy();
  echo.close();
});

interface Client {
  readonly socket: Socket;
  text(): string;
  /** The error code of a failed connection; null if it ended normally. */
  readonly closed: Promise<string | null>;
}

function client(proxy: TcpProxy): Client {
  const socket = connect(proxy.port, '127.0.0.1');
  let text = '';
  let code: string | null = null;
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    code = error.code ?? 'unknown';
  });
  const closed = new Promise<string | null>((resolve) => socket.on('close', () => resolve(code)));
  return { socket, text: () => text, closed };
}

async function echoed(of: Client, what: string): Promise<void> {
  of.socket.write(what);
  await until(`${what} came back`, () => of.text().endsWith(what));
}

const throughProxy = (name: string, run: (proxy: TcpProxy) => Promise<void>) =>
  test(name, async () => {
    const proxy = await startTcpProxy({ port, host: '127.0.0.1' });
    try {
      await run(proxy);
    } finally {
      await proxy.close();
    }
  });

throughProxy('bytes and closes pass both ways and are counted', async (proxy) => {
  const one = client(proxy);
  await echoed(one, 'hello');
  one.socket.end('bye');
  expect(await one.closed).toBeNull();
  expect(one.text()).toBe('hellobye');
  expect(proxy.counts).toMatchObject({ connections: 1, toTarget: 8, toClients: 8, broken: 0 });
  await until('both ends are gone', () => proxy.open() === 0);
});

throughProxy(
  'a cut ends open connections and refuses new ones until it is restored',
  async (proxy) => {
    const one = client(proxy);
    await echoed(one, 'a');
    proxy.cut();
    expect(await one.closed).toBe('ECONNRESET');
    expect(await client(proxy).closed).toBe('ECONNRESET');
    expect(proxy.counts).toMatchObject({ connections: 1, refused: 1, broken: 1 });
    proxy.restore();
    await echoed(client(proxy), 'b');
  },
);

throughProxy(
  'while frozen, neither end receives anything, and bytes sent meanwhile are lost',
  async (proxy) => {
    const [one, silent] = [client(proxy), client(proxy)];
    await echoed(one, 'a');
    await echoed(silent, 'b');
    proxy.freeze();
    one.socket.write('lost');
    const late = client(proxy);
    late.socket.write('lost');
    await until('both were swallowed', () => proxy.counts.swallowed === 8);
    const gone = client(proxy);
    await once(gone.socket, 'connect');
    gone.socket.destroy();
    proxy.restore();
    expect(await one.closed).toBe('ECONNRESET');
    expect(await late.closed).toBe('ECONNRESET');
    await echoed(silent, 'c');
    expect(received.join('')).not.toContain('lost');
  },
);

throughProxy('stranded connections stay silent, and new ones work', async (proxy) => {
  const one = client(proxy);
  await echoed(one, 'a');
  proxy.strand();
  one.socket.write('lost');
  await echoed(client(proxy), 'b');
  await until('it was swallowed', () => proxy.counts.swallowed === 4);
  expect(one.text()).toBe('a');
  proxy.restore();
  expect(await one.closed).toBe('ECONNRESET');
});

throughProxy('with swallowed replies the target still gets the requests', async (proxy) => {
  const one = client(proxy);
  proxy.swallowReplies();
  one.socket.write('swallowed-1');
  await until('the first arrived', () => received.join('').includes('swallowed-1'));
  await until('the reply was swallowed', () => proxy.counts.swallowed === 11);
  one.socket.write('swallowed-2');
  await until('the second arrived', () => received.join('').includes('swallowed-2'));
  expect(one.text()).toBe('');
  proxy.restore();
  expect(await one.closed).toBe('ECONNRESET');
});

throughProxy(
  'with lost replies the target receives the request, and the connection breaks before its reply arrives',
  async (proxy) => {
    const one = client(proxy);
    await echoed(one, 'a');
    proxy.loseReplies();
    one.socket.write('done');
    expect(await one.closed).toBe('ECONNRESET');
    expect(received).toContain('done');
    expect(one.text()).toBe('a');
  },
);

throughProxy('a reset ends open connections, and new ones work', async (proxy) => {
  const one = client(proxy);
  await echoed(one, 'a');
  proxy.reset();
  expect(await one.closed).toBe('ECONNRESET');
  await echoed(client(proxy), 'b');
});

throughProxy('a connection breaks after exactly that many bytes', async (proxy) => {
  proxy.dropAfter(4);
  const one = client(proxy);
  one.socket.write('123456');
  expect(await one.closed).toBe('ECONNRESET');
  await until('the rest was swallowed', () => proxy.counts.swallowed >= 2);
  expect(proxy.counts.toTarget).toBe(4);
});

throughProxy('with latency, everything arrives late and in order', async (proxy) => {
  const one = client(proxy);
  await echoed(one, 'a');
  proxy.slow({ latency: 30, jitter: 30 });
  const started = performance.now();
  const text = Array.from({ length: 40 }, (_, index) => `${index},`).join('');
  for (const part of text.split(/(?<=,)/)) one.socket.write(part);
  await until('all came back', () => one.text() === `a${text}`);
  // A lower bound that holds on any machine: the latency of both directions.
  expect(performance.now() - started).toBeGreaterThanOrEqual(59);
});

throughProxy('with limited bandwidth, bytes trickle and none is lost', async (proxy) => {
  proxy.slow({ bytesPerSecond: 100_000 });
  const one = client(proxy);
  const started = performance.now();
  one.socket.end('x'.repeat(20_000));
  expect(await one.closed).toBeNull();
  expect(one.text()).toHaveLength(20_000);
  expect(performance.now() - started).toBeGreaterThanOrEqual(190);
});

test('the seed can be set and read', async () => {
  const proxy = await startTcpProxy({ port }, { seed: 7 });
  expect(proxy.seed).toBe(7);
  await proxy.close();
});
