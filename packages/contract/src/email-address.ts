/** The longest email address that can receive email (RFC 5321). */
export const EMAIL_MAX_CHARS = 254;

/** Matches ordinary addresses: no quoted parts, no comments, and no line breaks that could inject a header. */
export const EMAIL_PATTERN =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Checks whether a trimmed text is a single valid email address. */
export const isEmailAddress = (value: string): boolean =>
  value.length <= EMAIL_MAX_CHARS && EMAIL_PATTERN.test(value);

/** Returns the addresses normalized for storage and comparison: trimmed, in lower case, without blanks or duplicates. */
export const distinctAddresses = (entries: readonly string[]): string[] => [
  ...new Set(entries.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== '')),
];
