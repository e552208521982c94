import type { FloorPage } from '../floor/web-server.ts';
import type { Progress } from '../lib/progress.ts';
import type { Session } from '../lib/session.ts';
import { type Figure, figure, type Goal } from './figures.ts';
import { type Worst, worstOfConsole, worstOfFloor } from './interacting.ts';
import { fansWrite, floorMoves } from './live.ts';
import { load } from './loading.ts';
import { openConversation } from './opening.ts';
import { openRows, type Scrolled, scrollThrough } from './scrolling.ts';
import { enterToBubble } from './sending.ts';
import type { Sides } from './sides.ts';

export const PARTS = [
  'load',
  'slow',
  'open',
  'slow-open',
  'enter',
  'interact',
  'slow-interact',
  'scroll',
] as const;
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

/** The maximum number of rounds for parts that take long. */
const LONG_ROUNDS = 3;
/** Pixels per wheel event. With one event per frame, this is a fast spin of 36,000 pixels per second. */
const STEP_PX = 600;
const SLOW = { cpu: 4, slowLine: true };

/** Measures the floor and the console alternately, so that other load on the machine affects both alike. */
export async function measure(world: World, { rounds, parts, progress, conversations }: Plan) {
  const figures: Figure[] = [];
  const long = Math.min(rounds, LONG_ROUNDS);
  for (const part of PARTS.filter((name) => parts.includes(name))) {
    const turns =
      (count: number): Turns =>
      async (measureSide) => {
        for (let round = 1; round <= count; round++) {
          progress.now(`${part}: round ${round} of ${count}`);
          for (const name of ['floor', 'console'] as const) await measureSide(name);
        }
      };
    if (part === 'load') figures.push(...(await loads(world, turns(rounds))));
    if (part === 'slow') figures.push(...(await slowLoads(world, turns(rounds))));
    if (part === 'open') figures.push(...(await opens(world, turns(rounds), 1)));
    if (part === 'slow-open') figures.push(...(await opens(world, turns(rounds), 4)));
    if (part === 'enter') figures.push(...(await enters(world, turns(rounds))));
    if (part === 'interact') figures.push(...(await interactions(world, turns(long), 1)));
    if (part === 'slow-interact') figures.push(...(await interactions(world, turns(long), 4)));
    if (part === 'scroll')
      figures.push(...(await scrolls(world, turns(long), conversations, progress)));
  }
  return figures;
}

type SideName = 'console' | 'floor';
/** Calls a function for both sides in each round. */
type Turns = (measureSide: (name: SideName) => Promise<void>) => Promise<void>;
type Pair<T> = Readonly<Record<SideName, T[]>>;
/** A figure of a measurement: its name, its unit, the function that reads it, and its goal. */
type Row<T> = readonly [string, Figure['unit'], (value: T) => number, Goal?];

async function inTurns<T>(turns: Turns, measureSide: (name: SideName) => Promise<T>) {
  const all: Pair<T> = { console: [], floor: [] };
  await turns(async (name) => void all[name].push(await measureSide(name)));
  return all;
}

const figuresOf = <T>({ console, floor }: Pair<T>, rows: readonly Row<T>[]): Figure[] =>
  rows.map(([name, unit, of, goal]) =>
    figure(name, unit, { console: console.map(of), floor: floor.map(of) }, goal),
  );

async function loads({ sides }: World, turns: Turns): Promise<Figure[]> {
  const all = await inTurns(turns, (name) => load(sides[name], { cpu: 1 }));
  return figuresOf(all, [
    ['JavaScript until usable, gzipped', 'KB', ({ gzippedKb }) => gzippedKb, { most: 100 }],
    ['JavaScript until idle, gzipped', 'KB', ({ idleKb }) => idleKb, { most: 180 }],
    ['JavaScript transferred', 'KB', ({ scriptsKb }) => scriptsKb],
    ['requests until usable', '', ({ requests }) => requests],
    ['first rows painted, cold', 'ms', ({ usableMs }) => usableMs],
    ['LCP, cold', 'ms', ({ lcpMs }) => lcpMs, { timesFloor: 1.6 }],
    ['total blocking time', 'ms', ({ blockingMs }) => blockingMs, { most: 25 }],
  ]);
}

async function slowLoads({ sides }: World, turns: Turns): Promise<Figure[]> {
  const all = await inTurns(turns, (name) => load(sides[name], SLOW));
  return figuresOf(all, [
    ['first rows painted, 4 × CPU, slow 4G', 'ms', ({ usableMs }) => usableMs],
    ['LCP, 4 × CPU, slow 4G', 'ms', ({ lcpMs }) => lcpMs, { timesFloor: 1.4 }],
    ['blocking time, 4 × CPU, slow 4G', 'ms', ({ blockingMs }) => blockingMs, { most: 200 }],
  ]);
}

async function opens({ sides }: World, turns: Turns, cpu: 1 | 4): Promise<Figure[]> {
  const slowness = cpu === 1 ? { cpu } : SLOW;
  const all = await inTurns(turns, (name) => openConversation(sides[name], slowness));
  const at = cpu === 1 ? '' : ', 4 × CPU, slow 4G';
  const first = cpu === 1 ? { most: 50 } : null;
  return figuresOf(all, [
    [
      `blocking time of a conversation${at}`,
      'ms',
      ({ blockingMs }) => blockingMs,
      { most: cpu === 1 ? 50 : 200 },
    ],
    [`first click${at}`, 'ms', ({ clickMs }) => clickMs, first],
    [`first key${at}`, 'ms', ({ keyMs }) => keyMs, first],
  ]);
}

async function enters({ sides }: World, turns: Turns): Promise<Figure[]> {
  const { console, floor } = await inTurns(turns, (name) => enterToBubble(sides[name]));
  const times = { console: console.flat(), floor: floor.flat() };
  return [figure('Enter to own message painted', 'ms', times, { timesFloor: 1.5 })];
}

async function interactions({ sides }: World, turns: Turns, cpu: 1 | 4): Promise<Figure[]> {
  const all = await inTurns<Worst>(turns, (name) =>
    name === 'floor' ? worstOfFloor(sides.floor, { cpu }) : worstOfConsole(sides.console, { cpu }),
  );
  const at = cpu === 1 ? '' : `, ${cpu} × CPU`;
  const longest = (worst: Worst) => Math.max(...Object.values(worst));
  return [
    ...figuresOf(all, [[`worst interaction${at}`, 'ms', longest, { most: cpu === 1 ? 32 : 100 }]]),
    ...Object.keys(all.console[0] ?? {}).map((kind) =>
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
  const pages = {
    floor: await openRows(sides.floor, rows, progress.now),
    console: await openRows(sides.console, rows, progress.now),
  };
  const all = await inTurns(turns, async (name) => {
    await pages[name].bringToFront();
    const still = await scrollThrough(pages[name], sides[name], STEP_PX);
    const stop = name === 'floor' ? floorMoves(floor) : fansWrite(session.address, rows);
    const live = await scrollThrough(pages[name], sides[name], STEP_PX);
    await stop();
    return { still, live };
  });
  for (const page of Object.values(pages)) await page.context().close();
  type Both = Record<'still' | 'live', Scrolled>;
  const count = `${rows.toLocaleString('en')} rows`;
  return figuresOf<Both>(all, [
    [`scrolling ${count}: frames dropped`, '%', ({ still }) => still.droppedShare, { most: 1 }],
    ['· longest frame', 'ms', ({ still }) => still.longestMs],
    ['· rows drawn', '', ({ still }) => still.rows],
    ['· with 20 live messages a second', '%', ({ live }) => live.droppedShare, { most: 2 }],
    ['· longest frame, live', 'ms', ({ live }) => live.longestMs],
    ["· the page's memory afterwards (scripts)", 'MB', ({ live }) => live.heapMb],
    ['· nodes in the page', '', ({ live }) => live.nodes],
  ]);
}
