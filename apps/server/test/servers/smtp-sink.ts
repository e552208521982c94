import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { until } from '../until.ts';

/** An email received over SMTP. */
export interface ReceivedMail {
  readonly from: string;
  /** The recipients of the envelope. */
  readonly to: readonly string[];
  readonly mail: Email;
}

/** An SMTP server that keeps every email. */
export interface SmtpSink {
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** While true, every message gets a temporary failure, as from an overloaded server. */
  refuse: boolean;
  /** Addresses that it refuses, with the status of the answer: 4xx is temporary, 5xx permanent. */
  readonly closed: Map<string, number>;
  /** The number of refused messages. */
  readonly refused: number;
  /** Returns the newest email to an address, once the address has received more than `after` emails. */
  mailTo(address: string, after?: number): Promise<ReceivedMail>;
  /** Returns the sign-in codes sent to an address, not counting its first `after` emails. */
  codesTo(address: string, after?: number): string[];
  /** Returns the newest sign-in code sent to an address, not counting its first `after` emails. Other emails may be newer. */
  codeFor(address: string, after?: number): Promise<string>;
  /** Drops the received emails. */
  clear(): void;
  close(): Promise<void>;
}

export async function startSmtpSink(): Promise<SmtpSink> {
  const received: ReceivedMail[] = [];
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const status = sink.closed.get(address);
      if (status === undefined) return done();
      refused++;
      const words = `Mailbox unavailable: ${address}`;
      done(Object.assign(new Error(words), { responseCode: status }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (sink.refuse) {
          refused++;
          done(Object.assign(new Error('try again later'), { responseCode: 451 }));
          return;
        }
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map((recipient) => recipient.address),
            mail,
          });
          done();
        }, done);
      });
    },
  });
  server.on('error', () => undefined);
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });

  const mailsTo = (address: string) => received.filter((mail) => mail.to.includes(address));

  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse: false,
    closed: new Map(),
    get refused() {
      return refused;
    },
    mailTo: (address, after = 0) =>
      until(`a mail to ${address}`, () => mailsTo(address).slice(after).at(-1)),
    codesTo: (address, after = 0) =>
      mailsTo(address)
        .slice(after)
        .flatMap(({ mail }) => /^\d{6}/.exec(mail.subject ?? '')?.[0] ?? []),
    codeFor: (address, after = 0) =>
      until(`a mail with a code to ${address}`, () => sink.codesTo(address, after).at(-1)),
    clear() {
      received.length = 0;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  return sink;
}
