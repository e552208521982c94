/**
 * Caches the promises of lookups for at most `ms` milliseconds, so that callers get answers in the order of their calls. Drops
 * failed lookups. A call after `clear` never gets an answer from before it.
 */
export function remember<Answer>(look: (key: string) => Promise<Answer>, ms: number) {
  let answers = new Map<string, Promise<Answer>>();
  let since = performance.now();
  const clear = (): void => {
    answers = new Map();
    since = performance.now();
  };
  function ask(key: string): Promise<Answer> {
    if (performance.now() - since >= ms) clear();
    const known = answers.get(key);
    if (known !== undefined) return known;
    const current = answers;
    const answer = look(key);
    current.set(key, answer);
    answer.catch(() => current.delete(key));
    return answer;
  }
  return { ask, clear };
}
