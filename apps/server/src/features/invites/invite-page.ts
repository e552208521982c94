import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Database } from '../../db/database.ts';
import { findShownInvite, markOpened, type ShownInvite } from './invite-page.store.ts';
import { hashOfToken } from './invite-token.ts';
import { BENEFIT_WORDS, dayOf, escapeHtml } from './invite-words.ts';

const PATH = '/invite';
const STYLE_PATH = `${PATH}.css`;

/** Where an invitation is looked at. @param base the server's address as people reach it, without a trailing slash */
export const invitePageUrl = (base: string, token: string): string => `${base}${PATH}/${token}`;

/** No scripts at all, no pictures, and nowhere to send anything but here. */
const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Params = { readonly token: string };

/**
 * The public page behind the link of an invitation's mail. Programs that look into mail follow its links: so looking
 * changes nothing, and only the press of the page's button tells that a person was here.
 */
export function serveInvitePage(http: FastifyInstance, { db }: { db: Database }): void {
  void http.register(async (app) => {
    // What the button sends: a form without fields.
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 },
      (_request, _body, done) => done(null, undefined),
    );
    const options = { schema: { hide: true } };

    app.get(STYLE_PATH, options, async (_request, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(STYLE),
    );

    app.get<{ Params: Params }>(`${PATH}/:token`, options, async ({ params }, reply) => {
      const invite = await findShownInvite(db, hashOfToken(params.token));
      return answer(reply, invite, (shown) => offer(shown));
    });

    app.post<{ Params: Params }>(`${PATH}/:token`, options, async ({ params }, reply) => {
      const tokenHash = hashOfToken(params.token);
      const invite = await findShownInvite(db, tokenHash);
      if (invite !== null) await markOpened(db, tokenHash);
      return answer(reply, invite, (shown) => wayOn(shown, params.token));
    });
  });
}

/** @param valid what is shown of an invitation that can be accepted */
function answer(
  reply: FastifyReply,
  invite: ShownInvite | null,
  valid: (invite: ShownInvite) => string,
): FastifyReply {
  reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('x-robots-tag', 'noindex, nofollow')
    .header('cache-control', 'no-store');
  if (invite === null) {
    return reply
      .status(404)
      .send(
        page('This invitation is not valid', [
          'Please check that the link is complete. If you were sent a newer invitation, only that one works.',
        ]),
      );
  }
  if (invite.was_accepted) {
    return reply
      .status(410)
      .send(page('This invitation was accepted already', ['Each invitation works once.']));
  }
  if (invite.has_expired) {
    return reply
      .status(410)
      .send(
        page('This invitation has expired', [
          `It could be accepted until ${dayOf(invite.expires_at)}.`,
        ]),
      );
  }
  return reply.send(valid(invite));
}

const offer = (invite: ShownInvite): string =>
  page(`${invite.creator} invites you`, [`It can be accepted until ${dayOf(invite.expires_at)}.`], {
    creator: invite.creator,
    before: `<p class="benefit">${BENEFIT_WORDS[invite.benefit_type]}</p>`,
    after: '<form method="post"><button>Continue</button></form>',
  });

const wayOn = (invite: ShownInvite, token: string): string =>
  page(
    `${invite.creator} invites you`,
    [
      `It works once, until ${dayOf(invite.expires_at)}. Keep it to yourself: whoever enters it gets what it gives.`,
    ],
    {
      creator: invite.creator,
      before: `<p class="benefit">${BENEFIT_WORDS[invite.benefit_type]}</p>
<p>To accept, sign in where you follow ${escapeHtml(invite.creator)}, or sign up there, and enter this invitation code:</p>
<p class="code">${escapeHtml(token)}</p>`,
    },
  );

/** @param extra `before` and `after` are markup */
function page(
  title: string,
  lines: readonly string[],
  extra: { creator?: string; before?: string; after?: string } = {},
): string {
  const { creator, before = '', after = '' } = extra;
  const initial = creator === undefined ? '' : [...creator.trim()][0]?.toUpperCase();
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow"><link rel="stylesheet" href="${STYLE_PATH}"></head>
<body><main>
${initial ? `<div class="initial" aria-hidden="true">${escapeHtml(initial)}</div>` : ''}
<h1>${escapeHtml(title)}</h1>
${before}
${lines.map((line) => `<p class="aside">${escapeHtml(line)}</p>`).join('\n')}
${after}
</main></body></html>
`;
}

const STYLE = `* { box-sizing: border-box }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 24px 16px; background: light-dark(#f5f7fa, #0c0e12); color: light-dark(#161b23, #ebedf0); font: 15px/22px system-ui, sans-serif }
main { width: 100%; max-width: 420px; padding: 32px; border: 1px solid light-dark(#dde0e4, #2a2d33); border-radius: 14px; background: light-dark(#fff, #13161a); text-align: center }
h1 { margin: 0; font-size: 22px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere }
p { margin: 16px 0 0; overflow-wrap: anywhere }
.initial { width: 56px; height: 56px; margin: 0 auto 16px; border-radius: 50%; background: light-dark(#dde6fe, #222c4c); color: light-dark(#3a45c8, #a7baff); font-size: 24px; line-height: 56px; font-weight: 600 }
.benefit { padding: 14px; border-radius: 8px; background: light-dark(#eff1f5, #1c1e23); font-size: 17px; line-height: 24px; font-weight: 600 }
.code { padding: 12px; border: 1px dashed light-dark(#828690, #6f757f); border-radius: 8px; font: 14px/20px ui-monospace, Menlo, monospace; overflow-wrap: anywhere; user-select: all }
.aside { color: light-dark(#5c606a, #a1a5ac); font-size: 13px; line-height: 20px }
button { width: 100%; height: 44px; margin-top: 24px; border: 0; border-radius: 8px; background: light-dark(#4251d4, #4d5fe4); color: #fff; font: inherit; font-weight: 600; cursor: pointer }
button:hover { background: light-dark(#3744bd, #5b6cf0) }
:focus-visible { outline: 2px solid light-dark(#3a45c8, #a7baff); outline-offset: 2px }
`;
