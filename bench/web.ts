import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ConversationPage } from '@stagedoor/contract/inbox/conversations';
import { showProgress } from './demo/progress.ts';
import { type FloorRow, startFloorPage } from './floor/web-server.ts';
import { generate, MEASURING_ADMIN } from './generate.ts';
import { CACHE, isGenerated, schemaName } from './lib/measure.ts';
import { copyDatabase, runOn } from './lib/plans/scratch.ts';
import { embeddedServer, FILLING_SETTINGS } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';
import { HEADING, line } from './web/figures.ts';
import { PLATFORM_KEY } from './web/live.ts';
import { isPart, measure, PARTS } from './web/measure.ts';
import { openSides } from './web/sides.ts';

const USAGE = `Measures the console in Chromium, beside the least page that shows such a list, in turns.

  npm run bench:web -- [--conversations 10000] [--rounds 5] [--only ${PARTS.join(',')}] [--json FILE]

The database is generated once and kept in ${CACHE}; each run works on a copy. Fails where a goal is missed.
`;

const MESSAGES_PER_CONVERSATION = 5;
/** The server's maximum page size. */
const PAGE = 200;

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      conversations: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', default: PARTS.join(',') },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [conversations, rounds] = [Number(values.conversations), Number(values.rounds)];
  const parts = values.only.split(',');
  if (values.help || !(conversations > 0) || !(rounds > 0) || !parts.every(isPart)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const progress = showProgress(process.stdout);
  const figures = await onCopy(conversations, progress.now, (url) =>
    withPages(url, conversations, (sides) =>
      measure(sides, { conversations, rounds, parts, progress }),
    ),
  );
  progress.done(HEADING);
  for (const figure of figures) console.log(line(figure));
  if (values.json !== undefined) {
    const machine = { cores: availableParallelism(), load: loadavg(), node: process.version };
    const report = { at: new Date().toISOString(), machine, conversations, rounds, figures };
    await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  return figures.some(({ reached }) => reached === false) ? 1 : 0;
}

/** Runs `work` on a copy of the generated database, and drops the copy afterwards. */
async function onCopy<T>(
  conversations: number,
  log: (text: string) => void,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const server = await embeddedServer(path.resolve(CACHE, 'web'), FILLING_SETTINGS);
  try {
    const name = `web_${conversations}_${await schemaName()}`;
    const url = await server.database(name);
    if (!(await isGenerated(url))) {
      const messages = conversations * MESSAGES_PER_CONVERSATION;
      await generate({ url, conversations, messages, log });
    }
    const copy = `${name}_${process.pid}`;
    try {
      return await work(await copyDatabase(url, copy));
    } finally {
      await runOn(
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
  const session = await startSession(databaseUrl, MEASURING_ADMIN, {
    PLATFORM_API_KEY: PLATFORM_KEY,
  });
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
