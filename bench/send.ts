import path from 'node:path';
import { program, writeReport } from './lib/program.ts';
import { temporaryServer } from './lib/servers.ts';
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

const USAGE = `Measures how fast a staff member's messages are stored and delivered to 51 others, compared with servers that do less.

  npm run bench:send -- [--rounds 5] [--seconds 4] [--only floor,ours] [--json FILE]

  --rounds 5          each server is measured once per round
  --seconds 4         for each part: as many messages as possible with 16 pending, then 100 a second
  --conversations 1000  that the messages are spread over
  --only NAMES        of ${Object.keys(SUBJECTS).join(', ')}, pgbench
  --database debian   PostgreSQL 15 of the package with its own settings; or 'embedded'
  --profile DIR       where Node.js writes our server's CPU profile
  --json FILE         also writes all figures to a file
`;

const OPTIONS = {
  rounds: 5,
  seconds: 4,
  conversations: 1_000,
  only: [...Object.keys(SUBJECTS), 'pgbench'].join(),
  database: 'debian',
  profile: null,
  json: null,
} as const;

export const main = program(USAGE, OPTIONS, async (options) => {
  const { rounds, seconds, conversations, profile } = options;
  const server = await temporaryServer(options.database === 'debian' ? 'debian' : 'embedded');
  const nodeArgs =
    profile === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${path.resolve(profile)}`];
  const only = new Set(options.only.split(','));
  const subjects: Subject[] = [];
  try {
    console.log(`${server.title}; ${rounds} rounds; ${conversations} conversation(s)`);
    const pgbench = only.has('pgbench')
      ? await preparePgbench(
          await server.database('statement'),
          await makeConversations(await server.database('statement'), conversations),
          path.join(server.folder, 'pgbench'),
        )
      : null;
    for (const name of Object.keys(SUBJECTS) as SubjectName[]) {
      const { database } = server;
      if (only.has(name))
        subjects.push(await startSubject(name, { database, conversations, nodeArgs }));
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
    await writeReport(options.json, {
      database: server.title,
      conversations,
      seconds,
      ratios: ratios(done),
      rounds: done,
    });
  } finally {
    for (const subject of subjects) await subject.stop();
    await server.stop();
  }
});

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
