import {
  currentAdmin,
  listSessions as listSessionsEndpoint,
  requestOtp,
  revokeSession,
  signOut,
  verifyOtp,
} from '@stagedoor/contract/auth';
import { type Database, isUuid } from '../../db/database.ts';
import { sessionNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { type AuthService, AVATAR_COOKIE, MEDIA_COOKIE } from './auth.service.ts';
import { deleteSession, listSessions } from './auth.store.ts';

interface AuthRoutes {
  readonly db: Database;
  readonly auth: AuthService;
  readonly publish: Publisher;
  /** Whether browsers reach us over TLS. */
  readonly secure: boolean;
}

const WEEK_SECONDS = 7 * 24 * 3_600;

/** Calls a minute from one address, over all e-mail addresses: enough for an office, too few to guess. */
const PER_ADDRESS = { max: 60, timeWindow: 60_000 };

export function bindAuthRoutes(router: Router, { db, auth, publish, secure }: AuthRoutes): void {
  const cookies = (avatar: string, media: string, maxAge: number) => {
    const rest = `HttpOnly; SameSite=Strict; Max-Age=${maxAge}${secure ? '; Secure' : ''}`;
    return [
      `${AVATAR_COOKIE}=${avatar}; Path=/api; ${rest}`,
      `${MEDIA_COOKIE}=${media}; Path=/api/media; ${rest}`,
    ];
  };

  router.bind(
    requestOtp,
    async ({ body }) => reply(200, { data: await auth.requestCode(body.email) }),
    { perAddress: PER_ADDRESS },
  );

  router.bind(
    verifyOtp,
    async ({ body, userAgent }) => {
      const { token, cookie, mediaCookie, admin } = await auth.verifyCode(
        body.email,
        body.code,
        userAgent,
      );
      return reply(200, { token, admin }, cookies(cookie, mediaCookie, WEEK_SECONDS));
    },
    { perAddress: PER_ADDRESS },
  );

  router.bind(signOut, async ({ actor }) => {
    await deleteSession(db, actor.admin.id, actor.sessionId);
    publish.sessionEnded(actor.sessionId);
    return reply(200, { data: { signed_out: true } }, cookies('', '', 0));
  });

  router.bind(currentAdmin, async ({ actor }) => reply(200, { data: actor.admin }));

  router.bind(listSessionsEndpoint, async ({ actor }) => {
    const sessions = await listSessions(db, actor.admin.id);
    const data = sessions.map((session) => ({
      id: session.id,
      created_at: session.created_at.toISOString(),
      last_used_at: session.last_used_at.toISOString(),
      expires_at: session.expires_at.toISOString(),
      user_agent: session.user_agent,
      current: session.id === actor.sessionId,
    }));
    return reply(200, { data });
  });

  router.bind(revokeSession, async ({ params, actor }) => {
    const found = isUuid(params.id) && (await deleteSession(db, actor.admin.id, params.id));
    if (!found) throw sessionNotFound();
    publish.sessionEnded(params.id);
    return reply(200, { data: { revoked: true } });
  });
}
