/** A share in percent, of so many fans. */
type Share = readonly [percent: number, total: number];

/** The standard errors beyond which a difference has a chance of less than 5 %. */
const ERRORS_MIN = 1.96;

/** Returns the index of the better of two shares; null if the difference may be chance. */
export function betterOf([one, other]: readonly Share[]): 0 | 1 | null {
  if (!one || !other) return null;
  const [percent, total] = one;
  const [otherPercent, otherTotal] = other;
  if (total === 0 || otherTotal === 0) return null;
  const share = (percent * total + otherPercent * otherTotal) / (total + otherTotal) / 100;
  const weight = 1 / total + 1 / otherTotal;
  const error = Math.sqrt(share * (1 - share) * weight);
  // Yates's correction makes the test hold for few fans, too.
  const difference = Math.abs(percent - otherPercent) / 100 - weight / 2;
  if (difference <= ERRORS_MIN * error) return null;
  return percent > otherPercent ? 0 : 1;
}
