/**
 * Returns whether tests are left out because something that they drive is missing, and says so. Never in CI, where they then fail.
 * @param what is not tested
 */
export function leftOut(what: string, missing: string | null): boolean {
  if (missing === null || process.env.CI) return false;
  console.warn(`${what} NOT tested here: ${missing}`);
  return true;
}
