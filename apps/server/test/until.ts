/**
 * Repeats a call until it returns a value other than null, undefined or false.
 * @throws Error that names `what` if no call within `within` milliseconds returns such a value
 */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  within = 60_000,
): Promise<Exclude<T, null | undefined | false>> {
  const deadline = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) {
      return answer as Exclude<T, null | undefined | false>;
    }
    if (Date.now() > deadline) throw new Error(`not in ${within} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
