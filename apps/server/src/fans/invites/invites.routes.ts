import * as api from '@stagedoor/contract/fans/invites';
import type { Core } from '../../domain.ts';
import { type Router, reply } from '../../http/route.ts';
import type { ChangeFan } from '../fans/change-fan.ts';
import { requireFan } from '../fans/fans.store.ts';
import { acceptInvite } from './accept.store.ts';
import { hashOfToken } from './invite-token.ts';
import type { InvitesService } from './invites.service.ts';

interface InviteRoutes extends Core {
  readonly invites: InvitesService;
  readonly changeFan: ChangeFan;
}

export function bindInviteRoutes(router: Router, { db, invites, changeFan }: InviteRoutes): void {
  router.bind(api.createInvites, async ({ actor, body }) =>
    reply(200, await invites.create(actor, body.emails, body.benefitType)),
  );

  router.bind(api.listInvites, async ({ query }) =>
    reply(200, await invites.list(query.state, query.cursor, query.limit)),
  );

  router.bind(api.resendInvite, async ({ actor, params }) =>
    reply(200, { data: await invites.resend(actor, params.id) }),
  );

  router.bind(api.acceptInvite, async ({ params, body }) => {
    const fan = await requireFan(db, body.fan);
    const accepted = await changeFan({ fan: fan.id }, async (tx, held) => {
      const result = await acceptInvite(tx, held, hashOfToken(params.token));
      return { shows: result.isNew ? 'conversation' : null, result };
    });
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
