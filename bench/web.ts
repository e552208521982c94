import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import type { ConversationPage } from '@stagedoor/contract/inbox/conversations';
import { type FloorRow, startFloorPage } from './floor/web-server.ts';
import { MEASURING_ADMIN } from './generate.ts';
import { copyDatabase } from './lib/plans/scratch.ts';
import { program, writeReport } from './lib/program.ts';
import { showProgress } from './lib/progress.ts';
import { query } from './lib/query.ts';
import { openSizes } from './lib/reads/sizes.ts';
import { CACHE } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';
import { HEADING, line } from './web/figures.ts';
import { isPart, measure, PARTS } from './web/measure.ts';
import { openSides } from './web/sides.ts';

const USAGE = `Measures the console in Chromium, in turn with a minimal page that shows such a list.

  npm run bench:web -- [--conversations 10000] [--rounds 5] [--only ${PARTS.join(',')}] [--json FILE]

The database is generated once and kept in ${CACHE}; each run works on a copy. Fails if a goal is missed.
`;

const MESSAGES_PER_CONVERSATION = 5;
/** The server's maximum page size. */
const PAGE = 200;

export const main = program(
  USAGE,
  { conversations: 10_000, rounds: 5, only: PARTS.join(','), json: null },
  async ({ conversations, rounds, only, json }) => {
    const parts = only.split(',');
    if (!parts.every(isPart)) throw new Error(`--only takes some of ${PARTS.join(',')}`);
    const progress = showProgress(process.stdout);
    const figures = await onCopy(conversations, (url) =>
      withPages(url, conversations, (sides) =>
        measure(sides, { conversations, rounds, parts, progress }),
      ),
    );
    progress.done(HEADING);
    for (const figure of figures) console.log(line(figure));
    const machine = { cores: availableParallelism(), load: loadavg(), node: process.version };
    const at = new Date().toISOString();
    await writeReport(json, { at, machine, conversations, rounds, figures });
    return figures.every(({ reached }) => reached !== false);
  },
);

/** Runs `work` on a copy of the generated database, and drops the copy afterwards. */
async function onCopy<T>(conversations: number, work: (url: string) => Promise<T>): Promise<T> {
  const { server, urls } = await openSizes(path.resolve(CACHE, 'web'), [conversations], {
    messagesEach: MESSAGES_PER_CONVERSATION,
  });
  try {
    const copy = `web_${process.pid}`;
    try {
      return await work(await copyDatabase(urls[0] ?? '', copy));
    } finally {
      await query(
        await server.database('postgres'),
        `drop database if exists ${copy} with (force)`,
      );
    }
  } finally {
    await server.stop();
  }
}

async function withPages<T>(
  databaseUrl: string,
  rows: number,
  work: (world: Parameters<typeof measure>[0]) => Promise<T>,
): Promise<T> {
  const session = await startSession(databaseUrl, MEASURING_ADMIN);
  try {
    const floor = await startFloorPage(await floorRows(session, rows));
    try {
      const sides = await openSides(session, floor);
      try {
        return await work({ sides, session, floor });
      } finally {
        await sides.close();
      }
    } finally {
      await floor.stop();
    }
  } finally {
    await session.stop();
  }
}

/** Returns rows with the console's names and texts for the floor page. */
async function floorRows(session: Session, count: number): Promise<FloorRow[]> {
  const rows: FloorRow[] = [];
  let cursor = '';
  do {
    const page = (await session.get(
      `/api/messages/admin/inbox?filter=all&limit=${PAGE}${cursor}`,
    )) as ConversationPage;
    for (const { id, fan, last_message_content: last } of page.data) {
      rows.push({ id, name: `${fan.first_name} ${fan.last_name}`, preview: last ?? '' });
    }
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
  } while (cursor !== '' && rows.length < count);
  return rows;
}
