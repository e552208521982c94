import { setTimeout as sleep } from 'node:timers/promises';
import { leftOut } from '../../../apps/server/test/left-out.ts';
import { until } from '../../../apps/server/test/until.ts';
import {
  type ArchivedServer,
  archivedServer,
  archivingMissing,
} from '../../lib/archived-server.ts';
import { startInstallation } from '../../lib/installation.ts';
import { query } from '../../lib/query.ts';
import type { Fault } from '../fault.ts';
import type { Ledger } from '../ledger.ts';

/** Time limit for the confirmation of a message whose send started after the chosen moment. Milliseconds. */
const PATIENCE = 60_000;

interface Stored {
  readonly id: string;
  readonly conversation_id: string;
  readonly seq: number;
  readonly content: string;
}

let archived: ArchivedServer | null = null;

export const pointInTime: Fault = {
  name: 'point-in-time',
  title: 'PostgreSQL is restored by pgBackRest to a moment chosen at random, under load',
  async installation() {
    if (leftOut('Restoring to a moment is', archivingMissing())) return null;
    const server = await archivedServer();
    archived = server;
    return { databaseUrl: server.url, release: server.stop };
  },
  async run({ ledger, seconds, log }, _signal, random) {
    if (archived === null) throw new Error('there is no archived server');
    const { url, backup, restore } = archived;
    await backup();
    const began = performance.now();
    const chosen = random.next() * seconds * 1000;
    await sleep(chosen);
    // The moment is read from the database's clock, so no clocks are compared. The restored database must contain every message
    // confirmed before this query, and none whose send started after the query's reply.
    const confirmed = sends(ledger).confirmed;
    const [now] = await query<{ moment: string }>(
      url,
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as moment`,
    );
    const moment = now?.moment ?? '';
    const begun = sends(ledger).begun;
    log(`to be restored: ${moment}`);
    await sleep(seconds * 1000 - chosen);
    await until(
      'messages after the moment are confirmed',
      () => [...sends(ledger).confirmed].some(([content]) => !begun.has(content)),
      PATIENCE,
    );
    const asked = performance.now();
    const copy = await restore(moment);
    const took = performance.now() - asked;
    const restored = await messages(copy);
    const broken = [
      ...differences(restored, await messages(url), confirmed, begun),
      ...(await contradictions(copy)),
    ];
    // A server must start on the restored database.
    const next = await startInstallation({ databaseUrl: copy });
    await next.dispose();
    const figures = {
      moment: `${moment}, ${(chosen / 1000).toFixed(1)} s after the backup`,
      'confirmed by then': confirmed.size,
      'in flight then': begun.size - confirmed.size,
      restored: restored.length,
      'confirmed later': sends(ledger).confirmed.size - confirmed.size,
      'seconds of load': ((asked - began) / 1000).toFixed(1),
      'restored within': `${(took / 1000).toFixed(1)} s`,
    };
    return { figures, broken };
  },
};

/** Returns a map from the content of each confirmed message to its id, and the contents of all sends that were started. */
function sends({ sends: all }: Ledger): { confirmed: Map<string, string>; begun: Set<string> } {
  const confirmed = new Map<string, string>();
  for (const { content, id } of all) if (id !== null) confirmed.set(content, id);
  return { confirmed, begun: new Set(all.map(({ content }) => content)) };
}

const messages = (url: string) =>
  query<Stored>(url, 'select id, conversation_id, seq, content from messages order by 2, 3');

/** Compares the restored messages with the clients' records at the chosen moment, and with the server's messages at the end. */
function differences(
  restored: readonly Stored[],
  later: readonly Stored[],
  confirmed: ReadonlyMap<string, string>,
  begun: ReadonlySet<string>,
): string[] {
  const broken: string[] = [];
  const byId = new Map(restored.map((message) => [message.id, message]));
  for (const [content, id] of confirmed)
    if (byId.get(id)?.content !== content)
      broken.push(`confirmed by then, not restored: ${content}`);
  for (const { content } of restored)
    if (!begun.has(content)) broken.push(`restored, but begun later: ${content}`);
  // Each restored conversation must be the beginning of the server's conversation.
  const kept = later.filter(({ id }) => byId.has(id));
  if (JSON.stringify(kept) !== JSON.stringify(restored))
    broken.push('messages differ from the server’s');
  return broken;
}

/** Returns a line for each conversation whose stored counts don't match its messages. */
async function contradictions(url: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    url,
    `select c.id from conversations c left join messages m on m.conversation_id = c.id
    group by c.id having c.last_seq <> count(m.id) or c.last_seq <> coalesce(max(m.seq), 0)
      or c.unread_count <> count(*) filter (where m.from_fan and m.read_at is null)`,
  );
  return rows.map(({ id }) => `the restored conversation ${id} contradicts its messages`);
}
