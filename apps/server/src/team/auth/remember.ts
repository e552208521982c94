/**
 * Caches answers for at most `ms` milliseconds. `clear` drops all answers, and the answers of running lookups are not cached, so
 * that a call after `clear` never gets an answer from before it.
 */
export function remember<Answer>(look: (key: string) => Promise<Answer>, ms: number) {
  let answers = new Map<string, Answer>();
  let since = performance.now();
  const clear = (): void => {
    answers = new Map();
    since = performance.now();
  };
  async function ask(key: string): Promise<Answer> {
    if (performance.now() - since >= ms) clear();
    const known = answers.get(key);
    if (known !== undefined) return known;
    const current = answers;
    const answer = await look(key);
    current.set(key, answer);
    return answer;
  }
  return { ask, clear };
}
