import type { Progress } from '../demo/progress.ts';
import type { FloorPage } from '../floor/web-server.ts';
import type { Session } from '../lib/session.ts';
import { type Figure, figure } from './figures.ts';
import { type Worst, worstOfConsole, worstOfFloor } from './interacting.ts';
import { fansWrite, floorMoves } from './live.ts';
import { type Loaded, load } from './loading.ts';
import { openWholeList, type Scrolled, scrollThrough } from './scrolling.ts';
import { enterToBubble } from './sending.ts';
import type { Sides } from './sides.ts';

export const PARTS = ['load', 'slow', 'enter', 'interact', 'slow-interact', 'scroll'] as const;
export type Part = (typeof PARTS)[number];
export const isPart = (name: string): name is Part => PARTS.some((part) => part === name);

interface World {
  readonly sides: Sides;
  readonly session: Session;
  readonly floor: FloorPage;
}

interface Plan {
  readonly conversations: number;
  readonly rounds: number;
  readonly parts: readonly Part[];
  readonly progress: Progress;
}

/** The most rounds for parts that take long. */
const LONG_ROUNDS = 3;
/** Pixels per wheel event: 36,000 per second, a hard spin. */
const STEP_PX = 600;
const SLOW = { cpu: 4, slowLine: true };

/** Measures the floor and the console alternately, so that other load on the machine affects both alike. */
export async function measure(world: World, { rounds, parts, progress, conversations }: Plan) {
  const figures: Figure[] = [];
  const long = Math.min(rounds, LONG_ROUNDS);
  for (const part of PARTS.filter((name) => parts.includes(name))) {
    const turns = (count: number) => async (work: (round: number) => Promise<void>) => {
      for (let round = 1; round <= count; round++) {
        progress.now(`${part}: round ${round} of ${count}`);
        await work(round);
      }
    };
    if (part === 'load') figures.push(...(await loads(world, turns(rounds))));
    if (part === 'slow') figures.push(...(await slowLoads(world, turns(rounds))));
    if (part === 'enter') figures.push(...(await enters(world, turns(rounds))));
    if (part === 'interact') figures.push(...(await interactions(world, turns(long), 1)));
    if (part === 'slow-interact') figures.push(...(await interactions(world, turns(long), 4)));
    if (part === 'scroll')
      figures.push(...(await scrolls(world, turns(long), conversations, progress)));
  }
  return figures;
}

type Turns = (work: (round: number) => Promise<void>) => Promise<void>;
type Pair<T> = { readonly console: T[]; readonly floor: T[] };

const pair = <T>(): Pair<T> => ({ console: [], floor: [] });
const each = <T>({ console, floor }: Pair<T>, of: (value: T) => number) => ({
  console: console.map(of),
  floor: floor.map(of),
});

async function loads({ sides }: World, turns: Turns): Promise<Figure[]> {
  const all = pair<Loaded>();
  await turns(async () => {
    for (const name of ['floor', 'console'] as const)
      all[name].push(await load(sides[name], { cpu: 1 }));
  });
  return [
    figure(
      'JavaScript until usable, gzipped',
      'KB',
      each(all, (it) => it.gzippedKb),
      { most: 120 },
    ),
    figure(
      'JavaScript as it came',
      'KB',
      each(all, (it) => it.scriptsKb),
    ),
    figure(
      'requests until usable',
      '',
      each(all, (it) => it.requests),
    ),
    figure(
      'first rows painted, cold',
      'ms',
      each(all, (it) => it.usableMs),
    ),
    figure(
      'LCP, cold',
      'ms',
      each(all, (it) => it.lcpMs),
      { timesFloor: 2 },
    ),
    figure(
      'total blocking time',
      'ms',
      each(all, (it) => it.blockingMs),
      { most: 25 },
    ),
  ];
}

async function slowLoads({ sides }: World, turns: Turns): Promise<Figure[]> {
  const all = pair<Loaded>();
  await turns(async () => {
    for (const name of ['floor', 'console'] as const) all[name].push(await load(sides[name], SLOW));
  });
  return [
    figure(
      'first rows painted, 4 × CPU, slow 4G',
      'ms',
      each(all, (it) => it.usableMs),
    ),
    figure(
      'LCP, 4 × CPU, slow 4G',
      'ms',
      each(all, (it) => it.lcpMs),
      { timesFloor: 1.6 },
    ),
    figure(
      'blocking time, 4 × CPU, slow 4G',
      'ms',
      each(all, (it) => it.blockingMs),
    ),
  ];
}

async function enters({ sides }: World, turns: Turns): Promise<Figure[]> {
  const all = pair<number>();
  await turns(async () => {
    for (const name of ['floor', 'console'] as const)
      all[name].push(...(await enterToBubble(sides[name])));
  });
  return [figure('Enter to own message painted', 'ms', all, { timesFloor: 2 })];
}

async function interactions({ sides }: World, turns: Turns, cpu: 1 | 4): Promise<Figure[]> {
  const all = pair<Worst>();
  await turns(async () => {
    all.floor.push(await worstOfFloor(sides.floor, { cpu }));
    all.console.push(await worstOfConsole(sides.console, { cpu }));
  });
  const at = cpu === 1 ? '' : `, ${cpu} × CPU`;
  const overall = figure(
    `worst interaction${at}`,
    'ms',
    each(all, (worst) => Math.max(...Object.values(worst))),
    { most: cpu === 1 ? 32 : 100 },
  );
  const kinds = Object.keys(all.console[0] ?? {});
  return [
    overall,
    ...kinds.map((kind) =>
      figure(`· ${kind}${at}`, 'ms', {
        console: all.console.map((worst) => worst[kind] ?? 0),
        floor: all.floor.flatMap((worst) => worst[kind] ?? []),
      }),
    ),
  ];
}

async function scrolls(
  { sides, session, floor }: World,
  turns: Turns,
  rows: number,
  progress: Progress,
): Promise<Figure[]> {
  const still = pair<Scrolled>();
  const live = pair<Scrolled>();
  const pages = {
    floor: await openWholeList(sides.floor, rows, progress.now),
    console: await openWholeList(sides.console, rows, progress.now),
  };
  const moves = {
    floor: () => floorMoves(floor),
    console: () => fansWrite(session.address, rows),
  };
  await turns(async () => {
    for (const name of ['floor', 'console'] as const) {
      await pages[name].bringToFront();
      still[name].push(await scrollThrough(pages[name], sides[name], STEP_PX));
      const stop = moves[name]();
      live[name].push(await scrollThrough(pages[name], sides[name], STEP_PX));
      await stop();
    }
  });
  for (const page of Object.values(pages)) await page.context().close();
  const count = `${rows.toLocaleString('en')} rows`;
  return [
    figure(
      `scrolling ${count}: frames dropped`,
      '%',
      each(still, (it) => it.droppedShare),
      { most: 1 },
    ),
    figure(
      '· longest frame',
      'ms',
      each(still, (it) => it.longestMs),
    ),
    figure(
      '· rows that were drawn',
      '',
      each(still, (it) => it.rows),
    ),
    figure(
      '· with 20 live messages a second',
      '%',
      each(live, (it) => it.droppedShare),
      { most: 2 },
    ),
    figure(
      '· longest frame, live',
      'ms',
      each(live, (it) => it.longestMs),
    ),
    figure(
      "· the page's memory after it (scripts)",
      'MB',
      each(live, (it) => it.heapMb),
    ),
    figure(
      '· nodes in the page',
      '',
      each(live, (it) => it.nodes),
    ),
  ];
}
