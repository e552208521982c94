/** Characters of a mail server's answer that are passed on. */
const REASON_MAX_CHARS = 300;

/** Why a mail did not go out, for staff. */
export interface MailFailure {
  /** Whether another try would meet with the same answer. */
  readonly isPermanent: boolean;
  readonly reason: string;
}

/** What the rejection of a mailer's `send` means. */
export function mailFailure(error: unknown): MailFailure {
  const { code, responseCode, response } = fieldsOf(error);
  // Our own credentials can be put right, which is no fault of the address.
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

/** The answer is a stranger's text: one line, and not a long one. */
const printable = (answer: string): string =>
  answer
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, REASON_MAX_CHARS);
