import { endFanSession, openFanSession } from '@stagedoor/contract/platform/fan-app';
import { createFanSession, endFanSessions } from '@stagedoor/contract/platform/platform';
import type { Core } from '../../domain.ts';
import { type Router, reply } from '../../http/route.ts';
import { requireFan } from '../fans/fans.store.ts';
import type { FanClientUrls } from './fan-client-url.ts';
import type { FanSessionsService } from './fan-sessions.service.ts';

interface FanSessionRoutes extends Core {
  readonly sessions: FanSessionsService;
  readonly urls: FanClientUrls;
}

/** Link exchanges per minute and IP address. High, because many fans may share an address, and links can't be guessed anyway. */
const OPENINGS = { max: 1_200, timeWindow: 60_000 };

export function bindFanSessionRoutes(
  router: Router,
  { db, sessions, urls, base }: FanSessionRoutes,
): void {
  router.bind(createFanSession, async ({ params, body }) => {
    const fan = await requireFan(db, params.fan);
    const created = await sessions.createLink(fan.id, body?.checkout_url ?? null);
    const url = urls.forLink(base(), created.link, body?.embed_origin ?? null);
    return reply(201, { data: { url, ...created } });
  });

  router.bind(endFanSessions, async ({ params }) => {
    await sessions.endAll(await requireFan(db, params.fan));
    return reply(204, null);
  });

  router
    .limited({ perAddress: OPENINGS })
    .bind(openFanSession, async ({ body }) => reply(201, { data: await sessions.open(body.link) }));

  router.bind(endFanSession, async ({ actor }) => {
    await sessions.end(actor);
    return reply(204, null);
  });
}
