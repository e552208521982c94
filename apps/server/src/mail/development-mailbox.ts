import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSameMachine } from '../http/same-machine.ts';
import { isSameSecret } from '../http/same-secret.ts';
import { escapeHtml } from './letter.ts';
import type { Mail, Mailer } from './mailer.ts';

const KEPT = 50;
/** Length of the random key that makes the path unguessable. */
const KEY_BYTES = 16;

interface Received extends Mail {
  readonly at: Date;
}

/** Keeps emails instead of sending them, for trying the product out; see {@link serveDevelopmentMailbox}. */
export interface DevelopmentMailbox extends Mailer {
  /** The path of the mailbox's page on this server. A secret. */
  readonly path: string;
  /** Returns the kept emails, newest first. */
  received(): readonly Received[];
}

export function developmentMailbox(): DevelopmentMailbox {
  const mails: Received[] = [];
  return {
    path: `/dev/mailbox/${randomBytes(KEY_BYTES).toString('base64url')}`,
    async send(mail) {
      mails.unshift({ ...mail, at: new Date() });
      mails.length = Math.min(mails.length, KEPT);
    },
    received: () => mails,
    close: () => undefined,
  };
}

/**
 * Serves a page that shows the kept emails, and the same as JSON to callers that ask for it. With these emails anyone can sign in
 * as anyone, so the page answers only programs on this machine that know its path. The key is a route parameter, which keeps it out
 * of logs and metrics.
 */
export function serveDevelopmentMailbox(app: FastifyInstance, mailbox: DevelopmentMailbox): void {
  type Keyed = { Params: { key: string } };
  const refuseStrangers = async (request: FastifyRequest<Keyed>, reply: FastifyReply) => {
    const isRight = isSameSecret(`/dev/mailbox/${request.params.key}`, mailbox.path);
    if (!isRight || !isSameMachine(request)) return reply.callNotFound();
    reply.header('cache-control', 'no-store');
  };
  const options = { schema: { hide: true }, preHandler: refuseStrangers };
  app.get<Keyed>('/dev/mailbox/:key/style.css', options, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(STYLE),
  );
  app.get<Keyed>('/dev/mailbox/:key', options, async (request, reply) => {
    const mails = mailbox.received();
    if (request.headers.accept?.includes('application/json')) return reply.send({ data: mails });
    return reply.type('text/html; charset=utf-8').send(page(mailbox.path, mails));
  });
}

function page(path: string, mails: readonly Received[]): string {
  const items = mails
    .map(
      (mail) => `<article><header><h2 dir="auto">${escapeHtml(mail.subject)}</h2>
<p>to ${escapeHtml(mail.to)} at <time datetime="${mail.at.toISOString()}">${mail.at.toISOString().slice(11, 19)} UTC</time></p></header>
<pre lang="${mail.language}" dir="auto">${withLinks(mail.text)}</pre></article>`,
    )
    .join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Development mailbox</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3"><link rel="stylesheet" href="${path}/style.css"></head><body><main>
<h1>Development mailbox</h1><p>Emails that this installation would have sent, newest first. The page refreshes automatically.</p>
${items || '<article><p>No emails yet. Request a sign-in code and it will appear here.</p></article>'}</main></body></html>`;
}

/** Escapes a text and turns its URLs into links. */
const withLinks = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/)
    .map(escapeHtml)
    .map((part, index) =>
      index % 2 === 0 ? part : `<a href="${part}" target="_blank" rel="noreferrer">${part}</a>`,
    )
    .join('');

const STYLE = `body { margin: 0; background: light-dark(#f5f7fa, #0c0e12); color: light-dark(#161b23, #ebedf0); font: 14px/20px system-ui, sans-serif }
main { max-width: 640px; margin: 0 auto; padding: 32px 16px }
h1 { font-size: 22px; line-height: 28px; margin: 0 }
h2 { font-size: 17px; line-height: 24px; margin: 0 }
p { color: light-dark(#5c606a, #a1a5ac); margin: 4px 0 }
a { color: light-dark(#3a45c8, #a7baff); overflow-wrap: anywhere }
article { margin-top: 16px; padding: 16px; border: 1px solid light-dark(#dde0e4, #2a2d33); border-radius: 12px; background: light-dark(#fff, #13161a) }
pre { margin: 12px 0 0; white-space: pre-wrap; font: inherit }
`;
