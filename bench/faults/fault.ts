import type { Random } from '@stagedoor/sample-data/random';
import type { Installation, InstallationOptions } from '../lib/installation.ts';
import type { World } from './world.ts';

/** The results of a fault, in addition to the invariants. */
export interface FaultReport {
  /** Figures for the report, by name, such as how often the fault struck or how long something took. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** A line for each fault-specific condition that was broken. */
  readonly broken?: readonly string[];
}

export interface Between {
  /** The URL that clients connect to. */
  readonly url: string;
  close(): Promise<void>;
}

/** A kind of failure to test. */
export interface Fault {
  readonly name: string;
  /** A short description of the failure. */
  readonly title: string;
  /** Starts an installation that replaces the default one. @returns null if this machine can't run it; the fault is then skipped */
  readonly start?: () => Promise<Installation | null>;
  /** Returns options for the installation. @returns null if this machine can't run it; the fault is then skipped */
  readonly installation?: () => Promise<Partial<InstallationOptions> | null>;
  /** Starts a proxy before the first client connects. */
  readonly between?: (port: number) => Promise<Between>;
  /** Maximum time from the last fault until every client shows the stored state. Milliseconds. */
  readonly equalWithin?: number;
  /** Whether sends may fail, because the fault lasts longer than clients retry. */
  readonly mayFail?: boolean;
  /**
   * Breaks things during the workload for about `world.seconds`, and repairs them before it returns. Sends pending at that
   * point must settle within 10 s. All randomness comes from `random`.
   * @throws Error if the run proves nothing
   */
  run(world: World, signal: AbortSignal, random: Random): Promise<FaultReport>;
}
