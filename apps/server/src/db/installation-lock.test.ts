import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { expect, onTestFinished, test } from 'vitest';
import { backendOf } from '../../test/backend.ts';
import { databaseForTest } from '../../test/database.ts';
import { buildConversation, buildStaff } from '../../test/factories.ts';
import { onDatabase } from '../../test/on-database.ts';
import { proxiedDatabase } from '../../test/servers/proxied-database.ts';
import {
  PROCESS_PLATFORM_KEY,
  type ServerProcess,
  spawnServer,
} from '../../test/servers/server-process.ts';
import { connectSocket } from '../../test/socket-client.ts';
import { until } from '../../test/until.ts';
import { openDatabase } from './database.ts';

/** Time for a process to load and start on a busy machine. Milliseconds. */
const STARTS_WITHIN = 240_000;

async function spawn(databaseUrl: string): Promise<ServerProcess> {
  const server = await spawnServer(databaseUrl);
  onTestFinished(() => server.dispose());
  return server;
}

const status = async ({ url }: ServerProcess): Promise<number | null> =>
  (await fetch(`${url}/api/health`).catch(() => null))?.status ?? null;

async function serves(server: ServerProcess, within: number): Promise<void> {
  await until(
    'it serves',
    async () => {
      if (server.hasEnded()) throw new Error(`it ended:\n${server.output()}`);
      return (await status(server)) === 200;
    },
    within,
  );
}

/** Starts a server process and connects a staff member to it. */
async function serveStaff(databaseUrl: string, through = databaseUrl) {
  const server = await spawn(through);
  await serves(server, STARTS_WITHIN);
  const db = openDatabase({ connectionString: databaseUrl }, () => undefined);
  onTestFinished(() => db.close());
  const backend = backendOf({ url: server.url, db, platformKey: PROCESS_PLATFORM_KEY });
  const { client, token } = await buildStaff(backend);
  const conversation = await buildConversation(backend);
  const live = await connectSocket(server.url, token);
  onTestFinished(() => live.close());
  const send = (content: string) =>
    client.raw('POST', sendMessage.path, { body: { conversation_id: conversation.id, content } });
  return { server, live, send };
}

/** Returns the processes that wait for a database's lock, or hold it. */
async function holders(databaseUrl: string): Promise<{ pid: number; holds: boolean }[]> {
  const { rows } = await onDatabase({ connectionString: databaseUrl }, (client) =>
    client.query<{ pid: number; holds: boolean }>(
      `select a.pid, bool_or(l.mode = 'ExclusiveLock') is true as holds
        from pg_stat_activity a left join pg_locks l on l.pid = a.pid and l.locktype = 'advisory'
        where a.datname = current_database() and a.application_name like 'stagedoor lock%' group by 1`,
    ),
  );
  return rows;
}

/** Starts another process, which waits for the serving process's lock. */
async function spawnSuccessor(databaseUrl: string) {
  const [holder] = await holders(databaseUrl);
  const successor = await spawn(databaseUrl);
  await until('it waits', async () => (await holders(databaseUrl)).length === 2, STARTS_WITHIN);
  const hasLock = async () =>
    (await holders(databaseUrl)).some(({ pid, holds }) => holds && pid !== holder?.pid);
  return { successor, takesOver: () => until('it takes over', hasLock) };
}

/** Checks that a process answers only 503 until it exits by itself. */
async function endsWithoutServing(server: ServerProcess): Promise<void> {
  const answers = new Set<number | null>();
  await until(
    'it ends',
    async () => {
      answers.add(await status(server));
      return server.hasEnded();
    },
    STARTS_WITHIN,
  );
  expect([...answers].filter((answer) => answer !== null && answer !== 503)).toEqual([]);
  expect(await server.ended).toBe(1);
}

test('a frozen process is replaced by another one, and does nothing more when it resumes', async () => {
  const url = await databaseForTest();
  const { server: frozen, live, send } = await serveStaff(url);
  expect((await send('before')).status).toBe(201);
  const { successor, takesOver } = await spawnSuccessor(url);
  frozen.freeze();
  const late = send('while it is frozen');
  // Thawed at once, because a server doesn't answer on a connection that was silent for a minute.
  await takesOver();
  frozen.thaw();
  expect((await late).status).toBe(503);
  expect(await live.closed).toBe('transport close');
  await endsWithoutServing(frozen);
  await serves(successor, STARTS_WITHIN);
});

test('a process whose network is cut stops serving before its successor starts, and does not come back', async () => {
  const url = await databaseForTest();
  const { proxy, url: through } = await proxiedDatabase(url);
  onTestFinished(() => proxy.close());
  const { server: cut, live, send } = await serveStaff(url, through);
  const { successor, takesOver } = await spawnSuccessor(url);
  proxy.freeze();
  const since = performance.now();
  const elapsed = () => performance.now() - since;
  const [stopped, succeeded] = await Promise.all([
    live.closed.then(elapsed),
    takesOver().then(elapsed),
  ]);
  expect(succeeded).toBeGreaterThan(stopped);
  expect((await send('to a process that is cut off')).status).toBe(503);
  await serves(successor, STARTS_WITHIN);

  proxy.restore();
  await endsWithoutServing(cut);
  expect(await status(successor)).toBe(200);
});

test('a process whose lock connection breaks takes the lock again and keeps its sockets', async () => {
  const url = await databaseForTest();
  const { server, live } = await serveStaff(url);
  const [before] = await holders(url);
  await onDatabase({ connectionString: url }, (client) =>
    client.query('select pg_terminate_backend($1, 5000)', [before?.pid]),
  );
  await until('it has the lock again', async () => {
    const [now] = await holders(url);
    return now?.holds && now.pid !== before?.pid;
  });
  await serves(server, STARTS_WITHIN);
  expect(live.socket.connected).toBe(true);
});

test('a process that waits for the lock keeps waiting after its connection breaks', async () => {
  const url = await databaseForTest();
  const { server } = await serveStaff(url);
  const { successor } = await spawnSuccessor(url);
  const waits = async () => (await holders(url)).find(({ holds }) => !holds);
  const before = await waits();
  await onDatabase({ connectionString: url }, (client) =>
    client.query('select pg_terminate_backend($1, 5000)', [before?.pid]),
  );
  await until('it waits again', async () => {
    const now = await waits();
    if (successor.hasEnded()) throw new Error(`it ended:\n${successor.output()}`);
    return now && now.pid !== before?.pid;
  });
  await server.dispose();
  await serves(successor, STARTS_WITHIN);
});
