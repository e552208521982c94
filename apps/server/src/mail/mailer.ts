import { createTransport } from 'nodemailer';

/** One message to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as a page, for those whose mail program shows it. */
  readonly html?: string;
  /** Names the mail: a repetition under the same id is the same mail. Letters, digits, dots and hyphens. */
  readonly id?: string;
}

/** Where mail leaves. */
export interface Mailer {
  /**
   * Resolves once the next hop has taken responsibility for the message; rejects when it has not, or has not said so.
   * `mail-failure.ts` tells what a rejection means.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Refuses all mail: for an installation that others reach and that has no mail server. */
export const noMailer = (): Mailer => ({
  async send() {
    throw new Error('email is off. Set SMTP_URL.');
  },
  close: () => undefined,
});

/** A mail server that is silent for longer is given up, and the mail is tried again. Milliseconds. */
const CONNECT_MS = 20_000;
const SILENCE_MS = 120_000;

/** Hands mail to an SMTP server. Credentials and TLS come from the URL (`smtp://user:password@host:587`, `smtps://…`). */
export function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 2,
      // A connection that broke may have broken after the mail was taken: whether to try again is the sender's to decide.
      maxRequeues: 0,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    },
    { from },
  );
  const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, ...mail }) {
      await transport.sendMail({
        ...mail,
        ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    close: () => transport.close(),
  };
}
