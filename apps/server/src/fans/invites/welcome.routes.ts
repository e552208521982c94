import * as api from '@stagedoor/contract/platform/fan-app';
import type { Core } from '../../domain.ts';
import { AppError, inviteNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { findCreator, presentCreator } from '../../team/creator/creator.store.ts';
import type { FanSessionsService } from '../fan-sessions/fan-sessions.service.ts';
import { hashOfToken } from './invite-token.ts';
import { joinByInvite } from './join.store.ts';
import { findWelcome, markOpened } from './welcome.store.ts';

/** Calls per minute and IP address: enough for a household. Tokens can't be guessed anyway. */
const VIEWS = { max: 240, timeWindow: 60_000 };
const JOINS = { max: 120, timeWindow: 60_000 };

const REFUSALS = {
  unknown: inviteNotFound,
  used: () => new AppError('invite_used'),
  expired: () => new AppError('invite_expired'),
} as const;

/**
 * Binds the endpoints of the welcome page, which the link in an invitation's email opens. Email scanners follow links, so
 * showing an invitation changes nothing.
 */
export function bindWelcomeRoutes(
  router: Router,
  { db, conversationChanged, webhooks, publicUrl }: Core,
  sessions: Pick<FanSessionsService, 'openBy'>,
): void {
  /** @throws AppError 404 `invite_not_found`, 409 `invite_used`, 410 `invite_expired` */
  async function welcome(token: string) {
    const invite = await findWelcome(db, hashOfToken(token));
    if (invite === null) throw REFUSALS.unknown();
    if (invite.has_expired) throw REFUSALS.expired();
    if (invite.was_accepted && !invite.joined) throw REFUSALS.used();
    return invite;
  }

  router.limited({ perAddress: VIEWS }).bind(api.showInvitation, async ({ params }) => {
    const { benefit_type, expires_at, joined } = await welcome(params.token);
    const creator = presentCreator(await findCreator(db.kysely), publicUrl);
    return reply(200, {
      data: { creator, benefit_type, expires_at: expires_at.toISOString(), joined },
    });
  });

  router.limited({ perAddress: VIEWS }).bind(api.openInvitation, async ({ params }) => {
    await welcome(params.token);
    await markOpened(db, hashOfToken(params.token));
    return reply(204, null);
  });

  router.limited({ perAddress: JOINS }).bind(api.joinByInvitation, async ({ params, body }) => {
    let made = false;
    const session = await sessions.openBy(async (sessionHash) => {
      const joined = await joinByInvite(db, {
        tokenHash: hashOfToken(params.token),
        sessionHash,
        firstName: body.first_name,
      });
      if (typeof joined === 'string') throw REFUSALS[joined]();
      if (joined.touched !== null) {
        made = true;
        await conversationChanged([joined.touched]);
        webhooks.wake();
      }
      return joined.session;
    });
    return reply(made ? 201 : 200, { data: session });
  });
}
