import { createTransport } from 'nodemailer';
import type { Language } from '../texts.ts';

/** One email to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: Language;
  /** Identifies the email, so that a retry with the same id counts as the same email. Letters, digits, dots and hyphens. */
  readonly id?: string;
}

/** Sends emails. */
export interface Mailer {
  /**
   * Resolves once the next hop has accepted the email; rejects if it refused or didn't answer. `mail-failure.ts` interprets the
   * rejection.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Rejects every email: for an installation that is reachable from outside but has no mail server. */
export const noMailer = (): Mailer => ({
  async send() {
    throw new Error('email is off. Set SMTP_URL.');
  },
  close: () => undefined,
});

/** Timeouts after which an unresponsive mail server counts as failed, so that the email is retried. Milliseconds. */
const CONNECT_MS = 20_000;
const SILENCE_MS = 120_000;

/** Sends emails through an SMTP server. Credentials and TLS come from the URL (`smtp://user:password@host:587`, `smtps://…`). */
export function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 2,
      // A connection can break after the server accepted the email, so the caller decides whether to retry.
      maxRequeues: 0,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
    },
    { from },
  );
  const domain = /@([^\s>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, language, ...mail }) {
      await transport.sendMail({
        ...mail,
        ...(id !== undefined && { messageId: `<${id}@${domain}>` }),
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    close: () => transport.close(),
  };
}
