import type { Endpoint } from '@stagedoor/contract/endpoint';
import fc from 'fast-check';
import { faultOf } from './judge.ts';
import { type FuzzRequest, requestsTo } from './requests.ts';
import { type FuzzReply, send, type Target, type Wire, wireOf } from './send.ts';

export interface Campaign {
  /** Inputs per endpoint or event. */
  readonly runs: number;
  /** The seed for all random choices. */
  readonly seed: number;
}

/**
 * The extent of fuzzing. By default, each endpoint or event gets 100 inputs from a fixed seed, so that the same code always passes
 * or always fails. `FUZZ_SEED` replays a failed run (the failure names it), `FUZZ_RUNS` is the number of inputs, `FUZZ_ONLY` names
 * one endpoint or event. `npm run fuzz` sets them from its options, with a random seed.
 */
export const campaign: Campaign & { readonly only: string | null } = {
  runs: Number(process.env.FUZZ_RUNS ?? 100),
  seed: Number(process.env.FUZZ_SEED ?? 1),
  only: process.env.FUZZ_ONLY ?? null,
};

/** The maximum number of characters of a value in a failure message. */
const SHOWN_CHARS = 3_000;
const shown = (value: unknown) => {
  const text = typeof value === 'string' ? value : fc.stringify(value);
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}… (${text.length})` : text;
};

/** The time for shrinking a failing input. Milliseconds. */
const SHRINK_MS = 30_000;

/**
 * Tries inputs until one fails, then shrinks that one.
 * @param attempt returns what is wrong with an input, or null
 * @returns the number of inputs tried
 * @throws Error with the seed, the smallest failing input, and what is wrong
 */
export async function explore<T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  { runs, seed }: Campaign,
  attempt: (input: T) => Promise<string | null>,
): Promise<number> {
  let failedAt: number | null = null;
  const property = fc.asyncProperty(inputs, async (input) => {
    if (failedAt !== null && Date.now() - failedAt > SHRINK_MS) return;
    const fault = await attempt(input);
    if (fault === null) return;
    failedAt ??= Date.now();
    throw new Error(fault);
  });
  const outcome = await fc.check(property, { numRuns: runs, seed });
  if (!outcome.failed) return outcome.numRuns;
  const { counterexample, errorInstance } = outcome;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(
    [
      `${name}: ${reason}`,
      `input ${outcome.numRuns}, made smaller ${outcome.numShrinks} times: ${shown(counterexample?.[0])}`,
      `again with FUZZ_SEED=${seed} FUZZ_RUNS=${runs} FUZZ_ONLY=${name}`,
      `or npm run fuzz -- --seed ${seed} --runs ${runs} --only ${name}`,
    ].join('\n'),
  );
}

/**
 * Fuzzes one endpoint.
 * @param after repairs the world after each reply, for example with a new session
 * @returns the number of replies by status
 */
export async function fuzzEndpoint(
  target: Target,
  name: string,
  endpoint: Endpoint,
  effort: Campaign,
  after: (reply: FuzzReply, request: FuzzRequest) => Promise<void> = async () => {},
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  await explore(name, requestsTo(endpoint), effort, async (request) => {
    const wire = wireOf(target, endpoint, request);
    const reply = await answered(target, endpoint, wire);
    if (typeof reply === 'string') return `${reply}\n${described(wire)}`;
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    const fault = faultOf(target, endpoint, request, wire, reply);
    await after(reply, request);
    if (fault === null) return null;
    return `${fault}\n${described(wire)}\nreply: ${reply.status} ${shown(reply.text)}`;
  });
  return statuses;
}

const answered = (target: Target, endpoint: Endpoint, wire: Wire): Promise<FuzzReply | string> =>
  send(target, endpoint.method, wire).catch((error: unknown) => String(error));

const described = ({ path, headers, body }: Wire) =>
  `sent: ${path} ${JSON.stringify(headers)}\n${shown(body?.toString() ?? 'without a body')}`;
