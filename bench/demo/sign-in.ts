import { addAdmin } from '@stagedoor/contract/team/admins';
import { requestOtp, verifyOtp } from '@stagedoor/contract/team/auth';
import { CallError, caller } from './calls.ts';

/** Milliseconds that a code may take to arrive, and between two looks. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

interface Mail {
  readonly to: string;
  readonly subject: string;
  /** When it was sent, as ISO 8601. */
  readonly at: string;
}

/** What somebody was mailed by an installation. */
export type Mailbox = (email: string) => Promise<readonly Mail[]>;

/**
 * Signs an admin in by the code that is mailed to them.
 * @returns the session's token
 */
export async function signIn(url: string, email: string, mailbox: Mailbox): Promise<string> {
  const code = await codeOf(url, email, mailbox);
  return (await caller({ url, token: null })(verifyOtp, { body: { email, code } })).token;
}

/** Asks for a code. @returns what was mailed */
export async function codeOf(url: string, email: string, mailbox: Mailbox): Promise<string> {
  const asked = Date.now();
  await caller({ url, token: null })(requestOtp, { body: { email } });
  return codeFor(() => mailbox(email), email, asked);
}

/** Colleagues of the owner's, each with an account and a session of their own. @returns their sessions' tokens */
export async function addColleagues(
  url: string,
  ownerToken: string,
  emails: readonly string[],
  mailbox: Mailbox,
): Promise<string[]> {
  const asOwner = caller({ url, token: ownerToken });
  const tokens: string[] = [];
  for (const email of emails) {
    await asOwner(addAdmin, { body: { email, role: 'support' } }).catch((error: unknown) => {
      // From the demo before.
      if (!(error instanceof CallError) || error.status !== 409) throw error;
    });
    tokens.push(await signIn(url, email, mailbox));
  }
  return tokens;
}

/** @param asked when, in milliseconds since 1970 */
async function codeFor(
  mails: () => Promise<readonly Mail[]>,
  email: string,
  asked: number,
): Promise<string> {
  const deadline = asked + PATIENCE_MS;
  while (Date.now() < deadline) {
    const mail = (await mails()).find(({ at }) => Date.parse(at) >= asked);
    const code = /\b\d{6}\b/.exec(mail?.subject ?? '')?.[0];
    if (code !== undefined) return code;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`no code has come for ${email}`);
}

/** The address of the development mailbox's page, in what a server printed; null where it is not there yet. */
export const mailboxIn = (output: string): string | null =>
  /.*Sign-in codes\s+(http:\S+)\s/s.exec(output)?.[1] ?? null;

/** Reads a development mailbox. @param page the page's address */
export const mailboxAt =
  (page: string): Mailbox =>
  async (email) => {
    const response = await fetch(page, { headers: { accept: 'application/json' } });
    if (!response.ok) {
      throw new Error(`${page} is no development mailbox, from which staff could read their codes`);
    }
    const { data } = (await response.json()) as { data: Mail[] };
    return data.filter(({ to }) => to === email);
  };
