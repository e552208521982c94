import type { Transaction } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** How often and how far apart a job is tried before it is given up. */
export interface Retries {
  /** Tries in all, the first one included. */
  readonly attempts: number;
  /** Seconds before the second try; each further pause is about twice as long as the one before. */
  readonly firstPause: number;
  /** Seconds that no pause exceeds. */
  readonly longestPause: number;
}

/** A kind of work that must be done once what asked for it is committed, whatever happens in between. */
export interface QueueDefinition<Data extends object> {
  /** In lower case, unique; it stays what it is, as jobs in the database carry it. */
  readonly name: string;
  /** Jobs that run at a time. */
  readonly concurrency: number;
  readonly retries: Retries;
  /**
   * Does the work; throwing has it done again later. It may run again after it was done, when the process died before that
   * was noted, and so must see for itself whether anything is left to do.
   */
  run(data: Data): Promise<void>;
  /** Called in place of another try after the last one failed. */
  gaveUp(data: Data, error: unknown): Promise<void>;
}

export interface Queue<Data extends object> {
  /** Adds jobs in the caller's transaction: they exist if it commits, and only then. Keep secrets out of `data`. */
  add(tx: Transaction<Tables>, jobs: readonly Data[]): Promise<void>;
  /**
   * Adds a job unless one was added in the current period already, by whichever process.
   * @param seconds the period's length; periods begin at its multiples since 1970, UTC
   */
  addOncePer(seconds: number, data: Data): Promise<void>;
  /** Has new jobs seen at once; without it they are seen within seconds. To be called after the commit. */
  wake(): void;
}

/** The installation's durable work. */
export interface Jobs {
  /** Declares a queue; its jobs run from {@link start} on. */
  define<Data extends object>(definition: QueueDefinition<Data>): Promise<Queue<Data>>;
  /** Begins with what the queues hold, and with what a process that died left half done. */
  start(): Promise<void>;
  /** Takes no more jobs, waits a moment for those that run, and leaves the others for the next start. */
  stop(): Promise<void>;
}
