import * as api from '@stagedoor/contract/team/auth';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { sessionNotFound } from '../../errors.ts';
import { type Router, reply } from '../../http/route.ts';
import { saveLanguage } from '../admins/admins.store.ts';
import type { AuthService } from './auth.service.ts';
import { deleteSession, listSessions } from './auth.store.ts';
import { sessionCookies } from './session-secrets.ts';

/** Calls per minute from one IP address, for all emails together: enough for an office, too few to guess codes. */
export const SIGN_IN_LIMIT = { max: 60, timeWindow: 60_000 };

const CODE_ALONE = ['code'] as const;
const BOTH_FACTORS = ['code', 'passkey'] as const;

export function bindAuthRoutes(
  router: Router,
  { db, publish, secure }: Core,
  auth: AuthService,
): void {
  router
    .limited({ perAddress: SIGN_IN_LIMIT })
    .bind(api.requestOtp, async ({ body, language }) =>
      reply(200, { data: await auth.requestCode(body.email, language) }),
    );

  router.limited({ perAddress: SIGN_IN_LIMIT }).bind(api.verifyOtp, async ({ body, userAgent }) => {
    const { admin, ...secrets } = await auth.verifyCode(body.email, body.code, userAgent);
    return reply(200, { token: secrets.token, admin }, sessionCookies(secrets, secure));
  });

  router.bind(api.signOut, async ({ actor }) => {
    await deleteSession(db, actor.admin.id, actor.sessionId);
    publish.sessionEnded(actor.sessionId);
    return reply(200, { data: { signed_out: true } }, sessionCookies(null, secure));
  });

  router.bind(api.currentAdmin, async ({ actor, language }) => {
    if (language !== null) await saveLanguage(db, actor.admin.id, language);
    return reply(200, { data: actor.admin });
  });

  router.bind(api.listSessions, async ({ actor }) => {
    const sessions = await listSessions(db, actor.admin.id);
    const data = sessions.map((session) => ({
      id: session.id,
      created_at: session.created_at.toISOString(),
      last_used_at: session.last_used_at.toISOString(),
      expires_at: session.expires_at.toISOString(),
      user_agent: session.user_agent,
      factors: session.confirmed ? [...BOTH_FACTORS] : [...CODE_ALONE],
      current: session.id === actor.sessionId,
    }));
    return reply(200, { data });
  });

  router.bind(api.revokeSession, async ({ params, actor }) => {
    const found = isUuid(params.id) && (await deleteSession(db, actor.admin.id, params.id));
    if (!found) throw sessionNotFound();
    publish.sessionEnded(params.id);
    return reply(200, { data: { revoked: true } });
  });
}
