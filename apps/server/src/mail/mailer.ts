import { createTransport } from 'nodemailer';

/** One message to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Where mail leaves. */
export interface Mailer {
  /** Resolves once the next hop has taken responsibility for the message; rejects when it has not. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** Hands mail to an SMTP server. Credentials and TLS come from the URL (`smtp://user:password@host:587`, `smtps://…`). */
export function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: 2 }, { from });
  return {
    async send(mail) {
      await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true });
    },
    close: () => transport.close(),
  };
}
