import { openDatabase } from '../../../apps/server/src/db/database.ts';
import { inboxStats } from '../../../apps/server/src/inbox/conversations/conversations.store.ts';
import { MEASURING_ADMIN, RARE } from '../../generate.ts';
import { startBare } from '../live/child.ts';
import { startSession } from '../session.ts';
import { staffReads } from './calls.ts';
import { campaignCalls } from './campaign-calls.ts';
import { FLOOR_INBOX, FLOOR_MESSAGES, FLOOR_ONE, TILES_SQL } from './goals.ts';
import { segmentCalls } from './segment-calls.ts';
import { type TimedGet, timedGet } from './timed-get.ts';

/** A database of one size, with our server and the bare server on it. */
export interface Side {
  /** The number of conversations, for example `100,000`. */
  readonly title: string;
  /** The calls by name. Each function runs its call once, with the path for round `time`, and returns milliseconds. */
  readonly calls: ReadonlyMap<string, (time: number) => Promise<number>>;
  stop(): Promise<void>;
}

export async function openSide(url: string): Promise<Side> {
  const session = await startSession(url, MEASURING_ADMIN);
  const floor = await startBare('read-server.mjs', [url]);
  const database = openDatabase({ connectionString: url }, () => undefined);
  const ours = timedGet({ authorization: `Bearer ${session.token}` });
  const bare = timedGet();
  async function stop(): Promise<void> {
    ours.close();
    bare.close();
    await database.close();
    await floor.stop();
    await session.stop();
  }
  try {
    const calls = new Map<string, (time: number) => Promise<number>>();
    const add = (name: string, get: TimedGet, urls: readonly string[], body?: unknown) =>
      calls.set(name, (time) => get(urls[time % urls.length] ?? '', body));
    const get = (path: string) => session.get(path);
    const reads = [
      ...(await staffReads(get, RARE.word)),
      ...(await segmentCalls(get)),
      ...(await campaignCalls(get)),
    ];
    const idsOf = (name: string, index: number) =>
      (reads.find((read) => read.name === name)?.paths ?? []).map((path) =>
        path.split('/').at(index),
      );
    const addFloor = (name: string, paths: readonly string[]) =>
      add(
        name,
        bare.get,
        paths.map((path) => `${floor.address}${path}`),
      );
    addFloor(FLOOR_INBOX, ['/conversations']);
    addFloor(
      FLOOR_ONE,
      idsOf('conversation', -1).map((id) => `/conversation?id=${id}`),
    );
    addFloor(
      FLOOR_MESSAGES,
      idsOf('messages: 50 of a long one', -2).map((id) => `/messages?id=${id}`),
    );
    const adminId = await idOf(database, MEASURING_ADMIN);
    calls.set(TILES_SQL, async () => {
      const started = performance.now();
      await inboxStats(database, adminId, 'Europe/Lisbon');
      return performance.now() - started;
    });
    for (const { name, paths, body } of reads) {
      add(
        name,
        ours.get,
        paths.map((path) => `${session.address}${path}`),
        body,
      );
    }
    const { total_conversations } = await inboxStats(database, adminId, 'UTC');
    return { title: total_conversations.toLocaleString('en'), calls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function idOf(database: ReturnType<typeof openDatabase>, email: string): Promise<string> {
  const [admin] = await database.runPlanned<{ id: string }>(
    'select id from admins where email = $1',
    [email],
  );
  if (admin === undefined) throw new Error(`there is no ${email}`);
  return admin.id;
}
