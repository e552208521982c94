import pg from 'pg';

/**
 * @param containing counts only statements that contain this text
 * @returns how often this process ran its most frequent statement during `work`
 */
export async function mostRepeatedQuery(
  work: () => Promise<unknown>,
  containing = '',
): Promise<number> {
  const counts = new Map<string, number>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string }).text;
    if (text?.includes(containing)) counts.set(text, (counts.get(text) ?? 0) + 1);
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return Math.max(...counts.values());
}
