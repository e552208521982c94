import { addAdmin } from '@stagedoor/contract/team/admins';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { until } from '../../apps/server/test/until.ts';
import { CallError, caller } from './calls.ts';

interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Send time, in ISO 8601. */
  readonly at: string;
}

/** Returns the emails that an installation has sent to an address. */
export type Mailbox = (email: string) => Promise<readonly Mail[]>;

/**
 * Signs an admin in with a code sent by email.
 * @returns the session's token and its admin
 */
export async function signIn(url: string, email: string, mailbox: Mailbox) {
  const code = await codeOf(url, email, mailbox);
  return caller({ url, token: null })(verifyOtp, { body: { email, code } });
}

/** Requests a sign-in code. @returns the code from the email */
export async function codeOf(url: string, email: string, mailbox: Mailbox): Promise<string> {
  const asked = Date.now();
  await caller({ url, token: null })(requestOtp, { body: { email } });
  return until(`a code for ${email} arrives`, async () => {
    const mails = (await mailbox(email)).filter(({ at }) => Date.parse(at) >= asked);
    return mails.map(({ subject }) => /\b\d{6}\b/.exec(subject)?.[0]).find(Boolean);
  });
}

/** Adds support teammates, unless they exist already, and signs each of them in. @returns their session tokens */
export async function addTeammates(
  url: string,
  ownerToken: string,
  emails: readonly string[],
  mailbox: Mailbox,
): Promise<string[]> {
  const asOwner = caller({ url, token: ownerToken });
  const tokens: string[] = [];
  for (const email of emails) {
    await asOwner(addAdmin, { body: { email, role: 'support' } }).catch((error: unknown) => {
      // 409: the account exists from an earlier demo.
      if (!(error instanceof CallError) || error.status !== 409) throw error;
    });
    tokens.push((await signIn(url, email, mailbox)).token);
  }
  return tokens;
}

/** Returns the URL of the development mailbox from a server's output; null if it hasn't been printed yet. */
export const mailboxIn = (output: string): string | null =>
  /.*Sign-in codes\s+(http:\S+)\s/s.exec(output)?.[1] ?? null;

/** Creates a reader of a development mailbox. @param page the mailbox URL */
export const mailboxAt =
  (page: string): Mailbox =>
  async (email) => {
    const response = await fetch(page, { headers: { accept: 'application/json' } });
    if (!response.ok) throw new Error(`${page} is not a development mailbox`);
    const { data } = (await response.json()) as { data: Mail[] };
    return data.filter(({ to }) => to === email);
  };
