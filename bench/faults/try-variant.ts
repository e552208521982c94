import { buildVariant } from './build-variant.ts';
import type { Invariant } from './check.ts';
import { type Run, type RunOptions, runFault } from './run.ts';
import type { Variant } from './variants.ts';

/** What became of a variant under its fault. */
export interface Trial {
  readonly variant: string;
  readonly title: string;
  readonly caughtBy: Variant['caughtBy'];
  /** Every invariant that it broke, with how often. */
  readonly broken: Readonly<Partial<Record<Invariant, number>>>;
  /** Whether the harness did what it is for. */
  readonly isRight: boolean;
  readonly run: Run;
}

/** Builds a variant and puts it under its fault. @throws Error where it can't be made or run */
export async function tryVariant(
  variant: Variant,
  options: RunOptions,
  signal: AbortSignal,
): Promise<Trial> {
  const main = await buildVariant(variant);
  const run = await runFault(variant.fault, { ...options, installation: { main } }, signal);
  if (run === null) throw new Error(`${variant.fault.name} can't be done here`);
  const broken = Object.fromEntries(
    Object.entries(run.verdict.broken).filter(([, count]) => count > 0),
  ) as Trial['broken'];
  const { name, title, caughtBy } = variant;
  const isRight =
    caughtBy === null ? Object.keys(broken).length === 0 : (broken[caughtBy] ?? 0) > 0;
  return { variant: name, title, caughtBy, broken, isRight, run };
}
