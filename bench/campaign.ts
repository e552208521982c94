import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendMessage } from '@stagedoor/contract/messaging/messages';
import { createCampaign, getCampaign } from '@stagedoor/contract/selling/campaigns';
import { messageAbout, secondsOf, send } from './demo/campaign.ts';
import { addProducts } from './demo/products.ts';
import { addMembers, type Member } from './faults/crowd.ts';
import { type Call, caller } from './lib/calls.ts';
import { openEmpty } from './lib/empty-database.ts';
import { growthOf } from './lib/process-memory.ts';
import { program, writeReport } from './lib/program.ts';
import { temporaryServer } from './lib/servers.ts';
import { type Session, startSession } from './lib/session.ts';
import { percentiles, round } from './lib/statistics.ts';
import { used } from './send/measure.ts';
import { type Frames, openRows, restDuring } from './web/scrolling.ts';
import { openConsole } from './web/sides.ts';

const OWNER = 'owner@example.com';
/** Messages per second that staff send. */
const SENDS = 20;
/** The minimum recipients per second, and the maximum p99 of staff's sends as a multiple of their p99 without a campaign. */
const LEAST_A_SECOND = 2_000;
const MOST_P99 = 2;
/** Maximum share of dropped frames in an open console, in percent. */
const MOST_DROPPED = 2;
const POLL_MS = 1_000;

const USAGE = `Measures a mass message with an offer: recipients a second, memory, and staff's sends meanwhile.

  npm run bench:campaign -- [--fans 100000] [--seconds 20] [--rows 10000] [--json FILE]

  --seconds 20   how long staff send before, while nothing else happens
  --rows 10000   also measures the frames of a console with this many rows loaded; the exit code then depends on
                 them alone, because the console takes CPU from everything else
`;

export const main = program(
  USAGE,
  { fans: 100_000, seconds: 20, rows: 0, json: null },
  async ({ fans, seconds, rows, json }) => {
    const server = await temporaryServer();
    try {
      const url = await server.database('stagedoor');
      const client = await openEmpty(url, [[OWNER, 'creator']], console.log);
      const members = await addMembers(client, fans);
      await client.end();
      const session = await startSession(url, OWNER);
      try {
        return await measure({ url, session, members, seconds, rows, json });
      } finally {
        await session.stop();
      }
    } finally {
      await server.stop();
    }
  },
);

interface World {
  /** The database's URL. */
  readonly url: string;
  readonly session: Session;
  readonly members: readonly Member[];
  readonly seconds: number;
  readonly rows: number;
  readonly json: string | null;
}

/**
 * Measures a campaign and prints the figures.
 * @returns whether the limits were kept. If a console is open, only the limit for dropped frames applies
 */
async function measure({ url, session, members, seconds, rows, json }: World): Promise<boolean> {
  const owner = caller({ url: session.address, token: session.token });
  const [product] = await addProducts(owner);
  if (product === undefined) throw new Error('there is no product');
  const idle = await sendDuring(owner, members, () => sleep(seconds * 1000));
  const { id } = (await owner(createCampaign, { body: messageAbout(product.id) })).data;
  const opened = rows > 0 ? await openConsole(session) : null;
  try {
    const page = opened && (await openRows(opened.side, rows, console.log));
    const before = await used(session.pid, url);
    let busy = idle;
    let frames = null as Frames | null;
    const memory = await growthOf(session.pid, async () => {
      busy = await sendDuring(owner, members, async () => {
        if (page === null) await send(owner, id, POLL_MS);
        else frames = await restDuring(page, () => send(owner, id, POLL_MS));
      });
    });
    const after = await used(session.pid, url);
    const { data } = await owner(getCampaign, { params: { id } });
    const { counts } = data;
    const took = secondsOf(data);
    const each = (span: number) => round((span * 1000) / counts.sent, 3);
    const figures = {
      sent: counts.sent,
      seconds: round(took),
      'recipients a second': Math.round(counts.sent / took),
      'CPU of the server, ms a recipient': each(after.server - before.server),
      'CPU of the database, ms a recipient': each(after.database - before.database),
      'memory before, MB': Math.round(memory.before),
      'memory at most, MB': Math.round(memory.before + memory.growth),
      'sends, idle: p50, ms': round(idle.p50, 1),
      'sends, idle: p99, ms': round(idle.p99, 1),
      'sends meanwhile: p50, ms': round(busy.p50, 1),
      'sends meanwhile: p99, ms': round(busy.p99, 1),
      ...(frames && { 'dropped frames, %': round(frames.droppedShare, 2) }),
      'load average': round(loadavg()[0] ?? 0, 1),
    };
    console.table(figures);
    await writeReport(json, figures);
    if (frames) return frames.droppedShare <= MOST_DROPPED;
    return counts.sent / took >= LEAST_A_SECOND && busy.p99 <= MOST_P99 * idle.p99;
  } finally {
    await opened?.browser.close();
  }
}

/** Sends messages from staff at a fixed rate while `work` runs. @returns the percentiles of the response times */
async function sendDuring(owner: Call, members: readonly Member[], work: () => Promise<unknown>) {
  const times: number[] = [];
  const sends: Promise<void>[] = [];
  let isOver = false;
  const sendOne = async (member: Member | undefined) => {
    const started = performance.now();
    const body = { conversation_id: member?.conversation_id ?? '', content: 'Thank you!' };
    await owner(sendMessage, { body });
    times.push(performance.now() - started);
  };
  const sending = (async () => {
    while (!isOver) {
      sends.push(sendOne(members[sends.length % members.length]));
      await sleep(1000 / SENDS);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await sending;
    await Promise.all(sends);
  }
  return percentiles(times);
}
