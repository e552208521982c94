import { setTimeout as sleep } from 'node:timers/promises';
import {
  createCampaign,
  getCampaign,
  pauseCampaign,
  resumeCampaign,
  startCampaign,
} from '@stagedoor/contract/selling/campaigns';
import type { Random } from '@stagedoor/sample-data/random';
import type pg from 'pg';
import { until } from '../../../apps/server/test/until.ts';
import { NOTE_WRONG_OFFERS } from '../../../apps/server/test/worlds/campaigns.ts';
import { addProducts } from '../../demo/products.ts';
import { caller } from '../../lib/calls.ts';
import { type Installation, isServing, PLATFORM_KEY } from '../../lib/installation.ts';
import { checkCampaign } from '../check-campaign.ts';
import { addMembers, gatherCrowd, insist } from '../crowd.ts';
import type { Fault } from '../fault.ts';
import { clientCall } from '../persist.ts';
import { type TwoNodes, twoNodes } from '../two-nodes.ts';
import type { World } from '../world.ts';

/** Time limit for each wait, after which the run fails. Milliseconds. */
const PATIENCE = 900_000;
const POLL_MS = 25;
/** The campaign's rate limit: sends per minute for each fan. It keeps a small campaign from finishing before anything breaks. */
const SENDS_A_MINUTE = 6;
/** Kills happen while the share of decided recipients is in this range. */
const FROM = 0.02;
const TO = 0.8;
/** The crowd's `size` is the number of fans divided by `ONE_IN`, limited to the range `ACTORS`. */
const ONE_IN = 100;
const ACTORS = { min: 15, max: 200 };

/** Kills nodes and the database while a mass message is sent. @param kills the number of kills */
export function campaign(fans = 100_000, kills = 20, nodes: TwoNodes = twoNodes()): Fault {
  return {
    name: 'campaign',
    title: `two nodes and their database are killed while a mass message is sent to ${fans} fans`,
    installation: nodes.installation,
    between: nodes.between,
    async run(world, signal, random) {
      const { installation, ownerToken, log, url, ledger } = world;
      const client = await installation.database.connect();
      const owner = clientCall(url, ownerToken, ledger);
      const platform = clientCall(url, PLATFORM_KEY, ledger);
      const patient = caller({ url, token: ownerToken });
      log('adding fans');
      const members = await addMembers(client, fans);
      const size = Math.min(ACTORS.max, Math.max(ACTORS.min, Math.floor(fans / ONE_IN)));
      const crowd = gatherCrowd(members, size, { owner: patient, platform });
      const [product] = await addProducts(patient);
      if (product === undefined) throw new Error('there is no product');
      await crowd.offer(product.id);
      await client.query(NOTE_WRONG_OFFERS);
      const { rows } = await client.query<{ id: string }>('select id from fans');
      await client.end();

      const { id } = (await patient(createCampaign, { body: messageAbout(product.id, fans) })).data;
      const params = { id };
      await insist(() => owner(startCampaign, { params }), [409]);
      const progress = followCampaign(installation, id);
      const acting = crowd.act({
        reached: (share) => progress.reach(share * TO * rows.length),
        isFinished: progress.isFinished,
      });
      let struck: Struck;
      try {
        [struck] = await Promise.all([
          strike(world, nodes, random, {
            thresholds: Array.from({ length: kills }, () => random.between(FROM, TO) * fans),
            progress,
            pause: () => insist(() => owner(pauseCampaign, { params }), [409]),
            resume: () => insist(() => owner(resumeCampaign, { params }), [409]),
            signal,
          }),
          acting,
        ]);
        await until('the campaign has finished', progress.isFinished, PATIENCE);
      } finally {
        await progress.stop();
      }

      const checking = await installation.database.connect();
      try {
        const { deaths } = nodes.second.counts;
        const { counts } = (await patient(getCampaign, { params })).data;
        const broken = await checkCampaign(checking, patient, {
          id,
          audience: rows.map((fan) => fan.id),
          cents: crowd.cents,
        });
        if (deaths > 0) broken.push(`the second node exited ${deaths} times`);
        const figures = {
          audience: counts.audience,
          sent: counts.sent,
          skipped: counts.skipped,
          ...struck,
          ...crowd.done,
        };
        return { figures, broken };
      } finally {
        await checking.end();
      }
    },
  };
}

/** Returns the campaign. Its texts contain the username, because the check of the stored messages needs unique texts. */
const messageAbout = (product_id: string, fans: number) => {
  const offer = (price: number) => [{ product_id, is_paid: true as const, price }];
  return {
    name: 'To everyone',
    variants: [
      { content: 'For you, {username}', attachments: offer(9), share: 60 },
      { content: 'New for {username}', attachments: offer(7.99), share: 40 },
    ],
    audience: { rule: { all: [] } },
    per_minute: Math.min(1_000_000, fans * SENDS_A_MINUTE),
  };
};

interface Progress {
  /** How many recipients are decided. */
  decided(): number;
  /** Waits until the audience is stored and at least `recipients` recipients are decided. */
  reach(recipients: number): Promise<unknown>;
  isFinished(): boolean;
  stop(): Promise<void>;
}

/** Follows a campaign by polling the database, so that it also works while the nodes are down. */
function followCampaign({ database }: Installation, id: string): Progress {
  const state = { decided: 0, audience: 0, is_finished: false };
  let isOver = false;
  const follow = async () => {
    let client: pg.Client | null = null;
    while (!isOver) {
      try {
        client ??= await database.connect();
        const { rows } = await client.query<typeof state>(
          `select sum(audience)::int as audience, sum(sent + skipped)::int as decided, bool_or(c.finished_at is not null) as is_finished
          from campaign_variants v join campaigns c on c.id = v.campaign_id where c.id = $1`,
          [id],
        );
        Object.assign(state, rows[0]);
      } catch {
        // The database is down.
        await client?.end().catch(() => undefined);
        client = null;
      }
      await sleep(POLL_MS);
    }
    await client?.end();
  };
  const following = follow();
  return {
    decided: () => state.decided,
    reach: (recipients) =>
      until(
        `${Math.ceil(recipients)} recipients are decided`,
        () => state.audience > 0 && state.decided >= recipients,
        PATIENCE,
      ),
    isFinished: () => state.is_finished,
    async stop() {
      isOver = true;
      await following;
    },
  };
}

interface Struck {
  readonly 'nodes killed': number;
  readonly 'databases killed': number;
  readonly pauses: number;
}

interface Sending {
  /** The numbers of decided recipients at which kills happen. */
  readonly thresholds: readonly number[];
  readonly progress: Progress;
  readonly pause: () => Promise<unknown>;
  readonly resume: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

/**
 * Kills nodes and the database, and restarts them. Pauses the campaign during every other repair, and when the campaign
 * reaches the next threshold before the nodes are back.
 */
async function strike(
  { installation, ledger, log }: World,
  nodes: TwoNodes,
  random: Random,
  { thresholds, progress, pause, resume, signal }: Sending,
): Promise<Struck> {
  const both = [installation, nodes.second];
  const done = { 'nodes killed': 0, 'databases killed': 0, pauses: 0 };
  const killNode = async (node: Installation) => {
    await node.kill();
    done['nodes killed']++;
  };
  const killDatabase = async () => {
    await nodes.killDatabase();
    done['databases killed']++;
  };
  const kinds = [
    () => killNode(installation),
    killDatabase,
    () => killNode(nodes.second),
    () => Promise.all([killDatabase(), killNode(random.pick(both))]),
  ];
  const sorted = thresholds.toSorted((a, b) => a - b);
  const first = Math.floor(random.next() * kinds.length);
  for (const [index, threshold] of sorted.entries()) {
    if (signal.aborted) break;
    await progress.reach(threshold);
    await ledger.yieldToLoop();
    await kinds[(first + index) % kinds.length]?.();
    let isBack = false;
    const repaired = repair(both).finally(() => {
      isBack = true;
    });
    const limit = index % 2 === 0 ? 0 : (sorted[index + 1] ?? Number.POSITIVE_INFINITY);
    while (!isBack && progress.decided() < limit) await sleep(POLL_MS);
    if (limit === 0 || !isBack) {
      await pause();
      done.pauses++;
      await repaired;
      await resume();
    } else await repaired;
    log(`${index + 1} of ${sorted.length} kills, ${progress.decided()} recipients decided`);
  }
  return done;
}

/** Starts the nodes that are down, and waits until all nodes serve. */
async function repair(nodes: readonly Installation[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.start()));
  for (const { url } of nodes) await until('a node serves', () => isServing(url), PATIENCE);
}
