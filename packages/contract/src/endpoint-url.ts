/** Returns a call's path with its parameters filled in and its query appended. Undefined and null values are left out. */
export function urlOf(
  path: string,
  given: { params?: Readonly<Record<string, string>>; query?: Readonly<Record<string, unknown>> },
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(given.params?.[name] ?? ''),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {})) {
    if (value !== undefined && value !== null)
      search.set(name, `${value as string | number | boolean}`);
  }
  const query = search.toString();
  return query ? `${filled}?${query}` : filled;
}
