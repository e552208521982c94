import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import { inTime } from '../http/in-time.ts';
import type { Jobs, Queue, QueueDefinition } from './jobs.ts';

/** The schema for the library's tables, which it creates and migrates itself. */
const SCHEMA = 'jobs';
/** How often each worker polls for due jobs if nothing wakes it. Seconds. */
const POLL_SECONDS = 2;
/** A running job is retried after this time without a heartbeat from its process. Seconds. */
const HEARTBEAT_SECONDS = 30;
/** How often the library looks for jobs without a heartbeat. Seconds. */
const SUPERVISE_SECONDS = 10;
/**
 * How much higher the library's limit of tries is than the queue's. Otherwise, if the process died during the last try, the library
 * would give the job up without calling `gaveUp`.
 */
const SPARE_TRIES = 1_000;
/**
 * Waiting jobs are kept for ten years. By default the library drops them after two weeks, so a server that was off for longer
 * would lose emails, refunds and deliveries. Seconds.
 */
const KEPT_SECONDS = 10 * 365 * 24 * 60 * 60;
/** How long shutdown waits for running jobs. Milliseconds. */
const STOP_WAIT_MS = 5_000;

type Log = { warn(details: object, message: string): void };

/** Creates the library's tables if they are missing, so that a restore can fill them. */
export async function makeJobTables(db: Database): Promise<void> {
  const boss = new PgBoss({
    db: fromKysely(db.kysely),
    schema: SCHEMA,
    schedule: false,
    supervise: false,
  });
  const failures: Error[] = [];
  boss.on('error', (error) => failures.push(error));
  await boss.start();
  await boss.stop({ graceful: false });
  if (failures[0]) throw new Error(failures[0].message);
}

/**
 * Opens the job queues on pg-boss, in the application's own database and connection pool. Creates or upgrades its tables first.
 */
export async function openJobs(db: Database, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    db: fromKysely(db.kysely),
    schema: SCHEMA,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  // Both events are plain objects that contain the queue's name and at most the ids of jobs.
  boss.on('error', (error) =>
    log.warn({ err: new Error(error.message) }, 'the job queue had an error and will recover'),
  );
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'warning from the job queue'));
  await boss.start();
  const begin: (() => Promise<void>)[] = [];
  const names: string[] = [];

  return {
    async define<Data extends object>(definition: QueueDefinition<Data>): Promise<Queue<Data>> {
      const { name, retries } = definition;
      await boss.createQueue(name);
      names.push(name);
      const workers: string[] = [];
      const wake = () => {
        for (const id of workers) boss.notifyWorker(id);
      };
      const handle = async ([job]: JobWithMetadata<Data>[]) => {
        if (job === undefined) return;
        // If there was one job there may be more, so poll again without a pause.
        wake();
        await attempt(definition, job);
      };
      begin.push(async () => {
        const options = { includeMetadata: true, pollingIntervalSeconds: POLL_SECONDS } as const;
        for (let index = 0; index < definition.concurrency; index++) {
          workers.push(await boss.work(name, options, handle));
        }
      });
      const options = {
        retryLimit: retries.attempts + SPARE_TRIES,
        retryDelay: retries.firstPause,
        retryDelayMax: retries.longestPause,
        retryBackoff: true,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retentionSeconds: KEPT_SECONDS,
      };
      return {
        wake,
        async addOncePer(seconds, data) {
          // Rejects duplicates even after the job is done, because its row is kept for days.
          await boss.insert(name, [{ data, ...options, singletonSeconds: seconds }]);
        },
        async add(tx, jobs) {
          await boss.insert(
            name,
            jobs.map((data) => ({
              data,
              ...options,
              priority: definition.yields?.(data) ? -1 : 0,
            })),
            { db: fromKysely(tx) },
          );
        },
      };
    },

    async start() {
      for (const work of begin) await work();
    },

    async stop() {
      const idle = Promise.all(names.map((name) => boss.offWork(name, { wait: true })));
      await inTime(idle, STOP_WAIT_MS);
      // Marks jobs that are still running, so that they are retried.
      await boss.stop({ graceful: false });
    },
  };
}

async function attempt<Data extends object>(
  { run, gaveUp, retries }: QueueDefinition<Data>,
  job: JobWithMetadata<Data>,
): Promise<void> {
  try {
    await run(job.data);
  } catch (error) {
    if (job.retryCount + 1 < retries.attempts) {
      // The library stores the error in its table, so this one contains no details.
      throw new Error('the job failed');
    }
    await gaveUp(job.data, error);
  }
}
