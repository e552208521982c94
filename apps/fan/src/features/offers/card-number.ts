/** Formats the typed digits in groups of four, as on a card. */
export function inFours(typed: string): string {
  const digits = typed.replace(/\D/g, '').slice(0, 19);
  return digits.replace(/(.{4})(?=.)/g, '$1 ');
}
