import { randomUUID } from 'node:crypto';
import { createPlatformClient } from '@stagedoor/platform-client';
import { onDatabase } from '../../apps/server/test/on-database.ts';
import { OWNER, PLATFORM_KEY } from '../lib/installation.ts';
import { startBare, startWorker, type Worker } from '../lib/live/child.ts';
import { openSessions, startSession } from '../lib/session.ts';

/** The number of listening sockets besides the sender's. */
const WATCHERS = 51;

const FLOOR_SCHEMA = `
  create table conversations (id uuid primary key, last_seq integer not null default 0, last_message_at timestamptz);
  create table messages (
    id uuid primary key, conversation_id uuid not null references conversations, seq integer not null, content text not null,
    created_at timestamptz not null, unique (conversation_id, seq))`;

export const SUBJECTS = {
  raw: 'bare WebSocket, everything to everybody',
  'fan-out': 'bare Socket.IO, stores nothing',
  floor: 'floor: bare Socket.IO and one statement',
  grouped: 'the same, many in one statement',
  ours: 'Stagedoor',
} as const;

export type SubjectName = keyof typeof SUBJECTS;

/** A server in its own process, with a connected client process. */
export interface Subject {
  readonly name: SubjectName;
  /** The process id of the server. */
  readonly pid: number;
  readonly client: Worker;
  /** The URL of its database; null for servers that store nothing. */
  readonly databaseUrl: string | null;
  readonly conversations: readonly string[];
  stop(): Promise<void>;
}

export interface SubjectOptions {
  /** Returns the URL of an empty database; called at most once per subject. */
  readonly database: (name: string) => Promise<string>;
  /** The number of conversations that messages are spread over. */
  readonly conversations: number;
  /** Node options for our server. */
  readonly nodeArgs?: readonly string[];
}

export async function startSubject(name: SubjectName, options: SubjectOptions): Promise<Subject> {
  const server = name === 'ours' ? await startOurs(options) : await startFloor(name, options);
  const client = startWorker('send/load.mjs');
  const stop = async () => {
    await client.stop();
    await server.stop();
  };
  try {
    const { address, tokens, conversations } = server;
    await client.order('connect', { address, tokens, conversations, bare: name === 'raw' });
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...server, name, client, stop };
}

async function startFloor(name: Exclude<SubjectName, 'ours'>, options: SubjectOptions) {
  const conversations = Array.from({ length: options.conversations }, () => randomUUID());
  const stores = name === 'floor' || name === 'grouped';
  const databaseUrl = stores ? await options.database(name) : null;
  if (databaseUrl !== null) {
    await onDatabase({ connectionString: databaseUrl }, async (client) => {
      await client.query(FLOOR_SCHEMA);
      await client.query('insert into conversations (id) select unnest($1::uuid[])', [
        conversations,
      ]);
    });
  }
  const server = await startBare('live-server.mjs', [
    name,
    ...(databaseUrl === null ? [] : [databaseUrl]),
  ]);
  const tokens = Array.from({ length: WATCHERS + 1 }, () => 'not checked');
  return { ...server, databaseUrl, conversations, tokens };
}

const startServer = (databaseUrl: string, nodeArgs: readonly string[]) =>
  startSession(databaseUrl, OWNER, {}, nodeArgs);

async function startOurs({ database, conversations: count, nodeArgs = [] }: SubjectOptions) {
  const databaseUrl = await database('ours');
  const server = await startServer(databaseUrl, nodeArgs);
  try {
    const conversations = await putFans(server.address, count);
    const tokens = await openSessions(databaseUrl, OWNER, WATCHERS + 1);
    return { ...server, databaseUrl, conversations, tokens };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Adds `count` conversations to an empty database and returns their ids. */
export async function makeConversations(databaseUrl: string, count: number): Promise<string[]> {
  const server = await startServer(databaseUrl, []);
  try {
    return await putFans(server.address, count);
  } finally {
    await server.stop();
  }
}

async function putFans(url: string, count: number): Promise<string[]> {
  const platform = createPlatformClient({ url, key: PLATFORM_KEY });
  const conversations: string[] = [];
  for (let fan = 0; fan < count; fan++) {
    conversations.push((await platform.putFan(`fan-${fan}`)).conversation_id);
  }
  return conversations;
}
