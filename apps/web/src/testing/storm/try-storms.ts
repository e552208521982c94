import fc from 'fast-check';
import { afterEach, beforeEach, vi } from 'vitest';
import type { ConsoleCode } from './console-code.ts';
import { storms } from './storm-commands.ts';
import { World } from './world.ts';

/** A way to end a storm, after which the tabs must be up to date. */
export interface End {
  title: string;
  /** The events that may be lost during the storm. */
  loses: World['loses'];
  end: (world: World) => Promise<void>;
}

/** Most storms start after everything has loaded, some while it is loading. */
const isOpen = fc.nat(3).map((n) => n > 0);

const mendAll = (world: World) => {
  for (const { network } of world.tabs) network.restore();
};

export const ENDS: readonly End[] = [
  {
    title: 'everything has arrived, in any order and number',
    loses: 'nothing',
    async end(world) {
      mendAll(world);
    },
  },
  {
    title: 'a new event in each conversation has revealed the gap in its sequence',
    loses: 'sequenced',
    async end(world) {
      mendAll(world);
      for (const id of world.server.held.keys()) world.server.write(id, 'fan');
    },
  },
  {
    title: 'they have reconnected, whatever was lost before',
    loses: 'any',
    async end(world) {
      for (const { network } of world.tabs) network.cut();
      await world.pass(100);
      mendAll(world);
    },
  },
];

/** Gives each test of a file a fake clock, and a console that hides errors. */
export function setStormClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    });
    // Failures of background work are logged there.
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });
}

/** Runs random storms on two tabs with this code. A failure prints its seed and the shortest failing sequence of commands. */
export async function tryStorms(
  tabs: readonly ConsoleCode[],
  { loses, end }: End,
  options: { runs: number; seed?: number; shrinks?: boolean },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(8),
      isOpen,
      storms({ maxCommands: 60 }),
      async (fans, opened, commands) => {
        vi.clearAllTimers();
        const world = new World(tabs, fans, loses);
        try {
          if (opened) await world.open();
          await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
          world.emitLate();
          await end(world);
          await world.settle();
          await world.expectAllFresh();
          world.expectNothingLost();
        } finally {
          world.close();
        }
      },
    ),
    {
      numRuns: options.runs,
      endOnFailure: options.shrinks === false,
      ...(options.seed !== undefined && { seed: options.seed }),
    },
  );
}
