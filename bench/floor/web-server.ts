import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { Server } from 'socket.io';
import { build } from 'vite';

export interface FloorRow {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
}

/** The floor page: a minimal page to compare the console with, served as precompressed files. */
export interface FloorPage {
  readonly address: string;
  /** Moves a random row to the top of the list, with a new preview. */
  move(): void;
  stop(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** A response body, compressed by Brotli. */
interface File {
  readonly type: string;
  readonly body: Buffer;
}

/** Builds and serves the floor page, precompressed, with one JSON endpoint for its rows and a bare socket. */
export async function startFloorPage(rows: readonly FloorRow[]): Promise<FloorPage> {
  const files = await buildPage();
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://floor');
    const file =
      url.pathname === '/rows'
        ? rowsOf(Number(url.searchParams.get('limit')))
        : files.get(url.pathname === '/' ? '/index.html' : url.pathname);
    if (!file) {
      reply.writeHead(404).end();
      return;
    }
    reply.writeHead(200, {
      'content-type': file.type,
      'content-length': file.body.length,
      'content-encoding': 'br',
    });
    reply.end(file.body);
  });
  const lists = new Map<number, File>();
  function rowsOf(limit: number): File {
    const known =
      lists.get(limit) ?? fileOf('application/json', JSON.stringify(rows.slice(0, limit)));
    lists.set(limit, known);
    return known;
  }
  const sockets = new Server(server);
  sockets.on('connection', (socket) => {
    socket.on('message', (text: string) => socket.broadcast.emit('message', text));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    move() {
      const row = rows[Math.floor(Math.random() * rows.length)];
      if (row) sockets.emit('row', { ...row, preview: 'Is it true what they say?' });
    },
    stop: () => sockets.close(),
  };
}

function fileOf(type: string, content: string | Uint8Array): File {
  // Files are compressed only once, so they get the highest quality. A server would compress JSON on each request, so JSON gets a
  // typical quality.
  const quality = type === 'application/json' ? 5 : 11;
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  return { type, body: brotliCompressSync(content, { params }) };
}

async function buildPage(): Promise<Map<string, File>> {
  const built = await build({
    root: fileURLToPath(new URL('page', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    // The benchmark process itself runs in development mode.
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, target: 'es2023', modulePreload: { polyfill: false } },
  });
  if (Array.isArray(built) || !('output' in built))
    throw new Error('not exactly one page was built');
  return new Map(
    built.output.map((file) => {
      const type = TYPES[file.fileName.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      return [
        `/${file.fileName}`,
        fileOf(type, file.type === 'chunk' ? file.code : file.source),
      ] as const;
    }),
  );
}
