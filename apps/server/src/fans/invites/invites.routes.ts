import {
  acceptInvite as acceptInviteCall,
  createInvites,
  listInvites,
  resendInvite,
} from '@stagedoor/contract/fans/invites';
import type { Database } from '../../db/database.ts';
import type { ConversationsChanged } from '../../db/outbox-events.ts';
import { AppError, fanNotFound, inviteNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { findFan } from '../fans/fans.store.ts';
import { acceptInvite } from './accept.store.ts';
import { hashOfToken } from './invite-token.ts';
import type { InvitesService } from './invites.service.ts';

interface InviteRoutes {
  readonly db: Database;
  readonly invites: InvitesService;
  /** Emits that conversations changed. */
  readonly conversationChanged: ConversationsChanged;
}

export function bindInviteRoutes(
  router: Router,
  { db, invites, conversationChanged }: InviteRoutes,
): void {
  router.bind(createInvites, async ({ actor, body }) =>
    reply(200, await invites.create(actor, body.emails, body.benefitType)),
  );

  router.bind(listInvites, async ({ query }) =>
    reply(200, await invites.list(query.state, query.cursor, query.limit)),
  );

  router.bind(resendInvite, async ({ actor, params }) =>
    reply(200, { data: await invites.resend(actor, params.id) }),
  );

  router.bind(acceptInviteCall, async ({ params, body }) => {
    const fan = await findFan(db, body.fan);
    if (fan === null) throw fanNotFound();
    const accepted = await acceptInvite(db, hashOfToken(params.token), fan.id);
    if (accepted === 'no fan') throw fanNotFound();
    if (accepted === 'unknown') throw inviteNotFound();
    if (accepted === 'used') throw new AppError('invite_used');
    if (accepted === 'expired') throw new AppError('invite_expired');
    if (accepted.touched !== null) {
      await conversationChanged([accepted.touched]);
    }
    return reply(200, {
      data: {
        invite_id: accepted.invite_id,
        fan: body.fan,
        benefit_type: accepted.benefit_type,
        accepted_at: accepted.accepted_at.toISOString(),
        benefit_ends_at: accepted.benefit_ends_at?.toISOString() ?? null,
      },
    });
  });
}
