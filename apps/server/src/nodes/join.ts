import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { ADVISORY_LOCKS } from '../db/advisory-locks.ts';
import type { Database } from '../db/database.ts';
import { COUNT_JOINED, type Hold } from '../db/installation-lock.ts';
import type { Row, Tx } from '../db/tables.ts';
import { every } from '../realtime/outbox.ts';
import { keptSecret } from './kept-secret.ts';
import { createUnsealer, seal } from './seal.ts';

/** The keys of an installation: the same on all of its nodes, and never in its database. */
export interface Keys {
  readonly codeKey: Buffer;
  /** The key that signs file URLs. */
  readonly mediaKey: Buffer;
  readonly inviteKey: Buffer;
}

const FILES: Record<keyof Keys, string> = {
  codeKey: 'keys/sign-in-codes',
  mediaKey: 'keys/media-urls',
  inviteKey: 'keys/invitations',
};
const NAMES = Object.keys(FILES) as (keyof Keys)[];
/** A file in the storage folder. A node that finds the expected content in it uses the same folder as the other nodes. */
const FILES_MARK = 'files/.installation';

/** How often other nodes look for requests, and how long a joining node waits for their answer. Milliseconds. */
const POLL_MS = 500;
const ANSWER_MS = 15_000;

/** The keys by name, encoded as in their files. */
type EncodedKeys = Record<keyof Keys, string>;

export interface Joined {
  readonly installationId: string;
  readonly keys: Keys;
  /** Whether the files in the data directory are those of the other nodes. */
  readonly sharesFiles: boolean;
}

interface Joining {
  readonly db: Database;
  readonly hold: Pick<Hold, 'joined'>;
  readonly dataDir: string;
  /** How long to wait until another node sends the keys. Milliseconds. */
  readonly patience?: number;
}

/**
 * Makes a process a node of its installation: from now on it has the keys that all nodes share. The first node provides them; a
 * node that joins with different keys gets them from a running node. One node joins at a time.
 * @throws Error if no node sends the keys
 */
export function joinInstallation({ db, hold, dataDir, patience }: Joining): Promise<Joined> {
  return db.kysely.transaction().execute(async (tx) => {
    // Waiting here, or for the keys, blocks only other nodes that join.
    await sql`set local statement_timeout = 0; set local lock_timeout = 0;
      set local idle_in_transaction_session_timeout = '30s'`.execute(tx);
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.joining})`.execute(tx);
    await tx
      .insertInto('installation')
      .defaultValues()
      .onConflict((on) => on.doNothing())
      .execute();
    const known = await tx.selectFrom('installation').selectAll().executeTakeFirstOrThrow();
    const isFirst = (await countNodes(tx)) === 0;

    let encoded = await readKeys(dataDir);
    if (isFirst) encoded = await makeKeys(dataDir);
    else if (encoded === null || digestOf(encoded) !== known.keys_digest) {
      encoded = await askForKeys(db, known.keys_digest, patience ?? ANSWER_MS);
      await writeKeys(dataDir, encoded);
    }
    const mark = await keptSecret(dataDir, FILES_MARK);
    const isOwn = known.files_mark === mark;
    if (isFirst) {
      const values = { keys_digest: digestOf(encoded), files_mark: mark };
      await tx.updateTable('installation').set(values).execute();
    }
    await hold.joined();
    return {
      installationId: known.id,
      keys: {
        codeKey: Buffer.from(encoded.codeKey),
        mediaKey: Buffer.from(encoded.mediaKey),
        inviteKey: Buffer.from(encoded.inviteKey),
      },
      sharesFiles: isFirst || isOwn,
    };
  });
}

async function countNodes(tx: Tx): Promise<number> {
  const { rows } = await sql<{ nodes: number }>`${sql.raw(COUNT_JOINED)}`.execute(tx);
  return rows[0]?.nodes ?? 0;
}

/** Sends the keys to joining nodes, sealed for each node that asks, until `stop` is called. */
export function answerKeyRequests(db: Database, keys: Keys, log: (error: unknown) => void) {
  return every(
    POLL_MS,
    async () => {
      const requests = await db.run<Row<'key_requests', 'id' | 'sealed_for'>>(
        {
          name: 'nodes_key_requests',
          text: `select id, sealed_for from key_requests where sealed is null
            and created_at > now() - interval '1 minute'`,
        },
        [],
      );
      const text = JSON.stringify(
        Object.fromEntries(NAMES.map((name) => [name, keys[name].toString()])),
      );
      for (const { id, sealed_for } of requests) {
        await db.kysely
          .updateTable('key_requests')
          .set({ sealed: seal(text, sealed_for) })
          .where('id', '=', id)
          .where('sealed', 'is', null)
          .execute();
      }
    },
    log,
  );
}

async function askForKeys(
  db: Database,
  digest: string | null,
  patience: number,
): Promise<EncodedKeys> {
  const unsealer = createUnsealer();
  const { id } = await db.kysely
    .insertInto('key_requests')
    .values({ sealed_for: unsealer.publicKey })
    .returning('id')
    .executeTakeFirstOrThrow();
  const request = db.kysely.selectFrom('key_requests').select('sealed').where('id', '=', id);
  try {
    for (const deadline = Date.now() + patience; Date.now() < deadline; ) {
      const sealed = (await request.executeTakeFirst())?.sealed ?? null;
      if (sealed !== null) {
        const encoded = JSON.parse(unsealer.open(sealed)) as EncodedKeys;
        if (digestOf(encoded) !== digest) throw new Error('another node sent the wrong keys');
        return encoded;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await db.kysely.deleteFrom('key_requests').where('id', '=', id).execute();
  }
  throw new Error(
    'no other node sent this installation’s keys. Copy the folder "keys" from the DATA_DIR of a running node.',
  );
}

/** Returns a digest that shows whether two nodes have the same keys without revealing them. */
const digestOf = (encoded: EncodedKeys): string =>
  createHash('sha256')
    .update(NAMES.map((name) => encoded[name]).join('\n'))
    .digest('hex');

async function readKeys(dataDir: string): Promise<EncodedKeys | null> {
  const found: Partial<EncodedKeys> = {};
  for (const name of NAMES) {
    const text = await readFile(path.join(dataDir, FILES[name]), 'utf8').catch(() => null);
    if (text === null) return null;
    found[name] = text.trim();
  }
  return found as EncodedKeys;
}

async function makeKeys(dataDir: string): Promise<EncodedKeys> {
  const made: Partial<EncodedKeys> = {};
  for (const name of NAMES) made[name] = await keptSecret(dataDir, FILES[name]);
  return made as EncodedKeys;
}

async function writeKeys(dataDir: string, encoded: EncodedKeys): Promise<void> {
  for (const name of NAMES) {
    const file = path.join(dataDir, FILES[name]);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(`${file}.new`, `${encoded[name]}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}
