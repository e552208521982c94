import { median } from '../lib/statistics.ts';
import type { Figures } from './measure.ts';
import { SUBJECTS, type SubjectName } from './subjects.ts';

/** The results of one round. Its subjects run one after the other, so that other load on the machine affects all alike. */
export interface Round {
  readonly subjects: Readonly<Partial<Record<SubjectName, Figures>>>;
  /** Calls per second of the function that stores a message, without a server, by client count; null without pgbench. */
  readonly sql: Readonly<Record<number, number>> | null;
}

export interface Ratio {
  readonly name: string;
  /** The median over all rounds. */
  readonly value: number;
  readonly goal: string;
  readonly reached: boolean;
}

type Judged = readonly [
  name: string,
  figure: keyof Figures,
  of: SubjectName,
  bound: 'least' | 'most',
  limit: number,
];

const GOALS: readonly Judged[] = [
  ['rate / floor', 'perSecond', 'floor', 'least', 0.9],
  ['rate / grouped', 'perSecond', 'grouped', 'least', 0.8],
  ['p50 / floor', 'p50', 'floor', 'most', 1.2],
  ['p99 / floor', 'p99', 'floor', 'most', 1.3],
  ['CPU / floor', 'cpu', 'floor', 'most', 1],
];

/** Returns for each goal the ratio of our server's figure to another server's: the median over all rounds. */
export function ratios(rounds: readonly Round[]): Ratio[] {
  return GOALS.flatMap(([name, figure, of, bound, limit]) => {
    const each = rounds.flatMap(({ subjects: { ours, [of]: other } }) =>
      ours && other ? [ours[figure] / other[figure]] : [],
    );
    if (each.length === 0) return [];
    const value = median(each);
    const reached = bound === 'least' ? value >= limit : value <= limit;
    return { name, value, goal: `${bound === 'least' ? '≥' : '≤'} ${limit}`, reached };
  });
}

/** Formats the results as a table, with one line per server. */
export function table(rounds: readonly Round[]): string[] {
  const lines = [
    `${''.padEnd(44)}messages/s   CPU ms   database   p50 ms   p99 ms`,
    ...Object.entries(SUBJECTS).flatMap(([name, title]) => {
      const all = rounds.flatMap(({ subjects }) => subjects[name as SubjectName] ?? []);
      if (all.length === 0) return [];
      const of = (figure: keyof Figures) => median(all.map((figures) => figures[figure]));
      return [
        title.padEnd(44) +
          of('perSecond').toFixed(0).padStart(10) +
          of('cpu').toFixed(2).padStart(9) +
          of('databaseCpu').toFixed(2).padStart(11) +
          of('p50').toFixed(2).padStart(9) +
          of('p99').toFixed(2).padStart(9),
      ];
    }),
  ];
  for (const clients of Object.keys(rounds[0]?.sql ?? {}).map(Number)) {
    const rate = median(rounds.map(({ sql }) => sql?.[clients] ?? 0));
    lines.push(
      `pgbench, our function, ${clients} at a time`.padEnd(44) + rate.toFixed(0).padStart(10),
    );
  }
  return lines;
}

export function ratioLine({ name, value, goal, reached }: Ratio): string {
  return `${name.padEnd(20)}${value.toFixed(2).padStart(6)}   ${goal.padEnd(6)}   ${reached ? 'reached' : 'MISSED'}`;
}
