import type { Random } from '../../apps/server/src/sample/random.ts';
import type { Installation, InstallationOptions } from './installation.ts';
import type { World } from './world.ts';

/** What a fault has to tell beside the invariants. */
export interface FaultReport {
  /** For the table, by name: how often it struck, how long something took. */
  readonly figures: Readonly<Record<string, number | string>>;
  /** What it must not break and broke, a line each. */
  readonly broken?: readonly string[];
}

/** What stands between the clients and the server. */
export interface Between {
  /** Where the clients are to go. */
  readonly url: string;
  close(): Promise<void>;
}

/** One way in which things break. */
export interface Fault {
  readonly name: string;
  /** What is done, in a few words. */
  readonly title: string;
  /** Brings up an installation of another kind. @returns null where it can't be done here, and so is skipped */
  readonly start?: () => Promise<Installation | null>;
  /** What the installation has to be started with. @returns null where it can't be done here, and so is skipped */
  readonly installation?: () => Promise<Partial<InstallationOptions> | null>;
  /** Stands between from before the first client comes. */
  readonly between?: (port: number) => Promise<Between>;
  /** Every client is to show what is stored so many milliseconds after the last fault. */
  readonly equalWithin?: number;
  /** Whether sends may fail, the fault lasting longer than a client tries. */
  readonly mayFail?: boolean;
  /**
   * Breaks things while everyone works, for about as long as the world says, and leaves them mended: what is pending must
   * be settled within 10 s of its end. All chance comes from `random`.
   * @throws Error when the run is not worth anything
   */
  run(world: World, signal: AbortSignal, random: Random): Promise<FaultReport>;
}
