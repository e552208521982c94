/** A part of a total. */
export type Share = readonly [part: number, total: number];

/** The number of standard errors above which a difference is significant at the 5% level. */
const ERRORS_MIN = 1.96;

/** Returns the index of the better of two shares; null if the difference may be due to chance. */
export function betterOf([one, other]: readonly Share[]): 0 | 1 | null {
  if (!one || !other) return null;
  const [part, total] = one;
  const [otherPart, otherTotal] = other;
  const [first, second] = [part / total, otherPart / otherTotal];
  const share = (part + otherPart) / (total + otherTotal);
  const weight = 1 / total + 1 / otherTotal;
  const error = Math.sqrt(share * (1 - share) * weight);
  // Yates's correction keeps the test valid for small numbers of fans.
  const difference = Math.abs(first - second) - weight / 2;
  return difference > ERRORS_MIN * error ? (first > second ? 0 : 1) : null;
}
