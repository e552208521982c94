/** The longest address that mail is delivered to (RFC 5321). */
export const EMAIL_MAX_CHARS = 254;

/** Addresses as people have them: no quotes, no comments, and nothing that could end a header's line. */
export const EMAIL_PATTERN =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** Whether a text, trimmed already, is one address that mail can be sent to. */
export const isEmailAddress = (value: string): boolean =>
  value.length <= EMAIL_MAX_CHARS && EMAIL_PATTERN.test(value);

/** The addresses of a list as they are stored and compared: trimmed, in lower case, no blanks, each once. */
export const distinctAddresses = (entries: readonly string[]): string[] => [
  ...new Set(entries.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== '')),
];
