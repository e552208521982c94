/**
 * Shares one lookup among simultaneous calls with the same key. A call never gets the result of a lookup that started before
 * the call: calls made during a lookup share the next lookup.
 */
export function shareNext<Answer>(
  look: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const looks = new Map<string, { now: Promise<unknown>; next: Promise<Answer> | null }>();

  function begin(key: string): Promise<Answer> {
    const now = look(key);
    const own: { now: Promise<unknown>; next: Promise<Answer> | null } = { now, next: null };
    looks.set(key, own);
    const end = () => {
      if (own.next === null) looks.delete(key);
    };
    now.then(end, end);
    return now;
  }

  return (key) => {
    const current = looks.get(key);
    if (current === undefined) return begin(key);
    const again = () => begin(key);
    current.next ??= current.now.then(again, again);
    return current.next;
  };
}
