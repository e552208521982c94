import type { Tx } from '../db/tables.ts';

/** How often a job is tried before it is given up, and the pauses in between. */
export interface Retries {
  /** The total number of tries, including the first. */
  readonly attempts: number;
  /** Seconds before the second try; each further pause is about twice as long as the previous one. */
  readonly firstPause: number;
  /** The maximum pause, in seconds. */
  readonly longestPause: number;
}

/** A kind of work that must run once the requesting transaction is committed, even if a process dies in between. */
export interface QueueDefinition<Data extends object> {
  /** Lower case and unique. It must not change, because stored jobs refer to it. */
  readonly name: string;
  /** Maximum number of jobs that run at a time. */
  readonly concurrency: number;
  readonly retries: Retries;
  /** Whether a job lets all other due jobs of the queue run first. By default, no job does. */
  yields?(data: Data): boolean;
  /**
   * Does the work; if it throws, the job is retried. If the process dies before it records a success, the work runs again, so
   * `run` must check whether anything is left to do.
   */
  run(data: Data): Promise<void>;
  /** Called after the last try failed. */
  gaveUp(data: Data, error: unknown): Promise<void>;
}

export interface Queue<Data extends object> {
  /** Adds jobs in the caller's transaction: they exist only if it commits. Keep secrets out of `data`. */
  add(tx: Tx, jobs: readonly Data[]): Promise<void>;
  /**
   * Adds a job unless some process has already added one in the current period.
   * @param seconds the period's length; a period begins whenever the Unix time is a multiple of it
   */
  addOncePer(seconds: number, data: Data): Promise<void>;
  /** Makes workers look for new jobs immediately instead of within seconds. Call it after the commit. */
  wake(): void;
}

/** The installation's durable job queues. */
export interface Jobs {
  /** Declares a queue; its jobs run once {@link start} is called. */
  define<Data extends object>(definition: QueueDefinition<Data>): Promise<Queue<Data>>;
  /** Starts the workers, beginning with queued jobs and those that a dead process left unfinished. */
  start(): Promise<void>;
  /** Takes no more jobs, waits briefly for running ones, and leaves the others for the next start. */
  stop(): Promise<void>;
}
