import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Mail, Mailer } from './mailer.ts';

const KEPT = 50;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i;

interface Received extends Mail {
  readonly at: Date;
}

/** Keeps mail instead of sending it, for trying the product out; see {@link serveDevelopmentMailbox}. */
export interface DevelopmentMailbox extends Mailer {
  /** The newest first. */
  received(): readonly Received[];
}

export function developmentMailbox(): DevelopmentMailbox {
  const mails: Received[] = [];
  return {
    async send(mail) {
      mails.unshift({ ...mail, at: new Date() });
      mails.length = Math.min(mails.length, KEPT);
    },
    received: () => mails,
    close: () => undefined,
  };
}

/** Where the mailbox is, below the console's address. */
export const MAILBOX_PATH = '/dev/mailbox';

/**
 * A page that shows the kept mail, and the same as JSON to callers that ask for it. Whoever can read it can sign in, so
 * it answers only this machine's own programs, by a loopback name (another name may be a stranger's page rebinding its
 * DNS to us), and never through a proxy.
 */
export function serveDevelopmentMailbox(app: FastifyInstance, mailbox: DevelopmentMailbox): void {
  app.get(MAILBOX_PATH, { schema: { hide: true } }, async (request, reply) => {
    if (!isLocal(request)) return reply.callNotFound();
    const mails = mailbox.received();
    reply.header('cache-control', 'no-store');
    if (request.headers.accept?.includes('application/json')) return reply.send({ data: mails });
    return reply.type('text/html; charset=utf-8').send(page(mails));
  });
}

function isLocal(request: FastifyRequest): boolean {
  return (
    LOOPBACK.test(request.socket.remoteAddress ?? '') &&
    LOOPBACK_HOST.test(request.headers.host ?? '') &&
    request.headers['x-forwarded-for'] === undefined &&
    request.headers.forwarded === undefined
  );
}

function page(mails: readonly Received[]): string {
  const items = mails
    .map(
      (mail) => `<article><header><b>${escape(mail.subject)}</b> to ${escape(mail.to)}
<time datetime="${mail.at.toISOString()}">${mail.at.toISOString().slice(11, 19)} UTC</time></header>
<pre>${escape(mail.text)}</pre></article>`,
    )
    .join('\n');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="3"><title>Development mailbox</title>
<h1>Development mailbox</h1><p>Mail that this installation would have sent, the newest first. The page renews itself.</p>
${items || '<p>No mail yet. Ask for a sign-in code and it appears here.</p>'}</html>`;
}

const escape = (value: string) =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
