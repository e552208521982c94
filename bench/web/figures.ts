/** A figure of the console's, beside the floor's where it has one, and what it is to reach. */
export interface Figure {
  readonly name: string;
  readonly unit: 'KB' | 'ms' | '%' | 'MB' | '';
  /** Medians, and what they are medians of. */
  readonly console: number;
  readonly floor: number | null;
  readonly values: { readonly console: readonly number[]; readonly floor: readonly number[] };
  /** What the console's may be at most; null where it is told only. */
  readonly limit: number | null;
  readonly goal: string;
  readonly reached: boolean | null;
}

/** At most so much, or so many times what the floor takes in the same run. */
export type Goal = { readonly most: number } | { readonly timesFloor: number } | null;

export function figure(
  name: string,
  unit: Figure['unit'],
  values: { readonly console: readonly number[]; readonly floor?: readonly number[] },
  goal: Goal = null,
): Figure {
  const ours = median(values.console);
  const floor = values.floor?.length ? median(values.floor) : null;
  const limit =
    goal === null ? null : 'most' in goal ? goal.most : goal.timesFloor * (floor ?? Number.NaN);
  return {
    name,
    unit,
    console: ours,
    floor,
    values: { console: values.console, floor: values.floor ?? [] },
    limit,
    goal:
      goal === null
        ? ''
        : 'most' in goal
          ? `≤ ${goal.most} ${unit}`
          : `≤ ${goal.timesFloor} × floor`,
    reached: limit === null ? null : ours <= limit,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export const HEADING = `| figure | console | floor | ratio | goal | |
|---|--:|--:|--:|---|---|`;

/** A row of a table in Markdown. */
export function line({ name, unit, console: ours, floor, goal, reached }: Figure): string {
  const shown = (value: number) =>
    `${value.toFixed(value < 100 && unit !== '' ? 1 : 0)} ${unit}`.trim();
  const cells = [
    name,
    shown(ours),
    floor === null ? '' : shown(floor),
    floor === null || floor === 0 ? '' : (ours / floor).toFixed(2),
    goal,
    reached === null ? '' : reached ? 'reached' : 'MISSED',
  ];
  return `| ${cells.join(' | ')} |`;
}
