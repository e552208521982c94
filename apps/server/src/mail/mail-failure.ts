/** Maximum length of the mail server's answer in a reason. */
const REASON_MAX_CHARS = 300;

/** Why an email could not be sent, for staff. */
export interface MailFailure {
  /** Whether a retry would fail the same way. */
  readonly isPermanent: boolean;
  readonly reason: string;
}

/** Interprets an error from a mailer's `send`. */
export function mailFailure(error: unknown): MailFailure {
  const { code, responseCode, response } = fieldsOf(error);
  // Not permanent: our credentials are wrong, not the address, and can be corrected.
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    return { isPermanent: false, reason: 'The mail server rejected the sign-in' };
  }
  if (typeof responseCode === 'number' && typeof response === 'string') {
    return { isPermanent: responseCode >= 500, reason: printable(response) };
  }
  return { isPermanent: false, reason: 'The mail server could not be reached' };
}

function fieldsOf(error: unknown): Partial<Record<'code' | 'responseCode' | 'response', unknown>> {
  return typeof error === 'object' && error !== null ? error : {};
}

/** Makes the mail server's untrusted answer printable: a single line of limited length. */
const printable = (answer: string): string =>
  answer
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_MAX_CHARS);
