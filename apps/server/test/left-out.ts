/**
 * Returns whether to skip tests because a program that they need is missing, and logs that. In CI, the tests fail instead.
 * @param what the subject and verb of the log line: 'nginx is'
 */
export function leftOut(what: string, missing: string | null): boolean {
  if (missing === null || process.env.CI) return false;
  console.warn(`${what} NOT tested here: ${missing}`);
  return true;
}
