import { buildVariant } from './build-variant.ts';
import type { Invariant } from './check.ts';
import { type Run, type RunOptions, runFault } from './run.ts';
import type { Variant } from './variants.ts';

/** The result of running a variant under its fault. */
export interface Trial {
  readonly variant: string;
  readonly title: string;
  readonly caughtBy: Variant['caughtBy'];
  /** How often it broke each invariant; unbroken ones are left out. */
  readonly broken: Readonly<Partial<Record<Invariant, number>>>;
  /** Whether the result is as expected: the variant was caught or, if the server must cope with it, nothing was found. */
  readonly isRight: boolean;
  readonly run: Run;
}

/** Builds a variant and runs its fault on it. @throws Error if it can't be built or run */
export async function tryVariant(
  variant: Variant,
  options: RunOptions,
  signal?: AbortSignal,
): Promise<Trial> {
  const main = await buildVariant(variant);
  const run = await runFault(variant.fault, { ...options, installation: { main } }, signal);
  if (run === null) throw new Error(`${variant.fault.name} is not possible on this machine`);
  const broken = Object.fromEntries(
    Object.entries(run.verdict.broken).filter(([, count]) => count > 0),
  ) as Trial['broken'];
  const { name, title, caughtBy } = variant;
  const isRight =
    caughtBy === null ? Object.keys(broken).length === 0 : (broken[caughtBy] ?? 0) > 0;
  return { variant: name, title, caughtBy, broken, isRight, run };
}
