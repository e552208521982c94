import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { debianServer, embeddedServer } from './lib/servers.ts';
import { measure, type Spans } from './send/measure.ts';
import { preparePgbench } from './send/pgbench.ts';
import { type Round, ratioLine, ratios, table } from './send/report.ts';
import {
  makeConversations,
  SUBJECTS,
  type Subject,
  type SubjectName,
  startSubject,
} from './send/subjects.ts';

const PGBENCH_CLIENTS = [1, 16];

const USAGE = `Measures how quickly what one of the staff sends is stored and told to 51 others, beside servers that do less.

  npm run bench:send -- [--rounds 5] [--seconds 4] [--only floor,ours] [--json FILE]

  --rounds 5          each server has its turn in each round
  --seconds 4         for each part of a turn: as many as it can with 16 under way, then 100 a second
  --conversations 1   among which the messages go round
  --only NAMES        of ${Object.keys(SUBJECTS).join(', ')}, pgbench
  --database debian   PostgreSQL 15 of the package, with its own settings; or 'embedded'
  --profile DIR       has Node.js write our server's CPU profile there
  --json FILE         also writes all figures there
`;

/** Runs the benchmark and returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      rounds: { ...text, default: '5' },
      seconds: { ...text, default: '4' },
      conversations: { ...text, default: '1' },
      only: { ...text, default: [...Object.keys(SUBJECTS), 'pgbench'].join() },
      database: { ...text, default: 'debian' },
      profile: text,
      json: text,
      help: { type: 'boolean', default: false },
    },
  });
  const [rounds, seconds, conversations] = [
    values.rounds,
    values.seconds,
    values.conversations,
  ].map(Number);
  if (values.help || !(rounds && seconds && conversations)) {
    console.log(USAGE);
    return values.help ? 0 : 2;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'stagedoor-bench-send-'));
  // The database servers run as other users.
  await chmod(folder, 0o755);
  const debian = values.database === 'debian' ? await debianServer(path.join(folder, 'pg')) : null;
  const server = debian ?? (await embeddedServer(path.join(folder, 'pg')));
  const nodeArgs =
    values.profile === undefined
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(values.profile)}`];
  const options = { database: server.database, conversations, nodeArgs };
  const only = new Set(values.only.split(','));
  const subjects: Subject[] = [];
  try {
    console.log(
      `${server.title}; ${rounds} rounds; messages go round ${conversations} conversation(s)`,
    );
    const pgbench = only.has('pgbench')
      ? await preparePgbench(
          await server.database('statement'),
          await makeConversations(await server.database('statement'), conversations),
          path.join(folder, 'pgbench'),
        )
      : null;
    for (const name of Object.keys(SUBJECTS) as SubjectName[]) {
      if (only.has(name)) subjects.push(await startSubject(name, options));
    }
    const done: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      done.push(await runRound(subjects, pgbench, { warmUp: 1, rate: seconds, latency: seconds }));
      const rates = Object.entries(done.at(-1)?.subjects ?? {}).map(
        ([name, { perSecond }]) => `${name} ${perSecond.toFixed(0)}`,
      );
      console.log(`  round ${round} of ${rounds}: ${rates.join(', ')}`);
    }
    console.log(`\n${table(done).join('\n')}\n`);
    for (const ratio of ratios(done)) console.log(ratioLine(ratio));
    if (values.json !== undefined) {
      const result = {
        database: server.title,
        conversations,
        seconds,
        ratios: ratios(done),
        rounds: done,
      };
      await writeFile(values.json, `${JSON.stringify(result, null, 2)}\n`);
    }
    return 0;
  } finally {
    for (const subject of subjects) await subject.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runRound(
  subjects: readonly Subject[],
  pgbench: Awaited<ReturnType<typeof preparePgbench>>,
  spans: Spans,
): Promise<Round> {
  const figures: Partial<Record<SubjectName, Awaited<ReturnType<typeof measure>>>> = {};
  for (const subject of subjects) figures[subject.name] = await measure(subject, spans);
  if (pgbench === null) return { subjects: figures, sql: null };
  const sql: Record<number, number> = {};
  for (const clients of PGBENCH_CLIENTS) sql[clients] = await pgbench(clients, spans.rate);
  return { subjects: figures, sql };
}
