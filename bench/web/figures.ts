import { median } from '../lib/statistics.ts';

/** A figure of the console, with its goal, and the floor's figure if there is one. */
export interface Figure {
  readonly name: string;
  readonly unit: 'KB' | 'ms' | '%' | 'MB' | '';
  /** Medians, and the values behind them. */
  readonly console: number;
  readonly floor: number | null;
  readonly values: { readonly console: readonly number[]; readonly floor: readonly number[] };
  /** The console's maximum; null for figures without a goal. */
  readonly limit: number | null;
  readonly goal: string;
  readonly reached: boolean | null;
}

/** A fixed maximum, or a maximum ratio to the floor in the same run. */
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

export const HEADING = `| figure | console | floor | ratio | goal | |
|---|--:|--:|--:|---|---|`;

/** Formats a figure as a row of a Markdown table. */
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
