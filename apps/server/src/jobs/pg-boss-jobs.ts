import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import type { Jobs, QueueDefinition } from './jobs.ts';

/** Where the library keeps its tables, which it creates and migrates by itself. */
const SCHEMA = 'jobs';
/** How often each worker looks for jobs that are due, when nobody wakes it. Seconds. */
const POLL_SECONDS = 2;
/** A running job's process says this often that it lives; after that long a silence the job is tried again. Seconds. */
const HEARTBEAT_SECONDS = 30;
/** How often silent jobs are looked for. Seconds. */
const SUPERVISE_SECONDS = 10;
/** Tries that a dying process may cost beyond those that the queue allows, so that the last one is never the library's. */
const SPARE_TRIES = 1_000;
/**
 * Waiting jobs are kept for ten years: the library drops them after two weeks, which a server that was switched off for longer
 * would pay for with mails, refunds and deliveries that never happen. Seconds.
 */
const KEPT_SECONDS = 10 * 365 * 24 * 60 * 60;
/** Stopping waits this long for running jobs. Milliseconds. */
const STOP_WAIT_MS = 5_000;

type Log = { warn(details: object, message: string): void };

/** Makes the library's tables where there are none yet, for jobs that come from elsewhere. */
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

/** Jobs on pg-boss, in the application's own database and connections. Creates or upgrades its tables first. */
export async function openJobs(db: Database, log: Log): Promise<Jobs> {
  const boss = new PgBoss({
    db: fromKysely(db.kysely),
    schema: SCHEMA,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  });
  // Both come as plain objects with the queue's name and, of the jobs, ids at most.
  boss.on('error', (error) =>
    log.warn({ err: new Error(error.message) }, 'the job queue had an error and will recover'),
  );
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'warning from the job queue'));
  await boss.start();
  const begin: (() => Promise<void>)[] = [];
  const names: string[] = [];

  return {
    async define<Data extends object>(definition: QueueDefinition<Data>) {
      const { name, retries } = definition;
      await boss.createQueue(name);
      names.push(name);
      const workers: string[] = [];
      const wake = () => {
        for (const id of workers) boss.notifyWorker(id);
      };
      const handle = async ([job]: JobWithMetadata<Data>[]) => {
        if (job === undefined) return;
        // Where there was one job there may be more: the next look follows without a pause.
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
          // The period's one row stays for days after it was done.
          await boss.insert(name, [{ data, ...options, singletonSeconds: seconds }]);
        },
        async add(tx, jobs) {
          await boss.insert(
            name,
            jobs.map((data) => ({ data, ...options })),
            { db: fromKysely(tx) },
          );
        },
      };
    },

    async start() {
      for (const work of begin) await work();
    },

    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_WAIT_MS);
      });
      const idle = Promise.all(names.map((name) => boss.offWork(name, { wait: true })));
      await Promise.race([idle, late]).finally(() => clearTimeout(timer));
      // What still runs is noted as to be tried again.
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
      // The library writes what it is thrown into its table: no more than that it failed.
      throw new Error('the job failed');
    }
    await gaveUp(job.data, error);
  }
}
