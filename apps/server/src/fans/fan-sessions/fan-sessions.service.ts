import { createHash, randomBytes } from 'node:crypto';
import type { FanSession } from '@stagedoor/contract/platform/fan-app';
import type { Database } from '../../db/database.ts';
import { AppError, fanNotFound } from '../../errors.ts';
import type { FanActor } from '../../http/route.ts';
import type { FanRef } from '../fans/fans.store.ts';
import * as store from './fan-sessions.store.ts';

interface FanSessionsDependencies {
  readonly db: Database;
  readonly ended: (sessionIds: readonly string[]) => void;
  /** Closes all sockets of a fan. */
  readonly fanLeft: (conversationId: string) => void;
}

export type FanSessionsService = ReturnType<typeof createFanSessions>;

/** Creates a 256-bit token. Only its hash is stored. */
const newToken = () => randomBytes(32).toString('base64url');
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Manages fan sessions: creates short-lived links and exchanges them for session tokens. */
export function createFanSessions({ db, ended, fanLeft }: FanSessionsDependencies) {
  /** Opens a session with a new token. @param insert stores the session under the token's hash */
  async function openBy(
    insert: (tokenHash: Buffer) => Promise<store.OpenedSession>,
  ): Promise<FanSession> {
    const token = newToken();
    const opened = await insert(hashOf(token));
    ended(opened.ended);
    return { token, expires_at: opened.expires_at.toISOString() };
  }

  return {
    openBy,

    /**
     * Creates a session link, to be given only to that fan.
     * @param checkoutUrl the platform's payment page; null for none
     * @throws AppError 404 `fan_not_found` if the fan was just erased
     */
    async createLink(
      fanId: string,
      checkoutUrl: string | null,
    ): Promise<{ link: string; expires_at: string }> {
      const link = newToken();
      const expiresAt = await store.insertLink(db, {
        fanId,
        linkHash: hashOf(link),
        checkoutUrl,
      });
      if (expiresAt === null) throw fanNotFound();
      return { link, expires_at: expiresAt.toISOString() };
    },

    /** Exchanges a link for a session. @throws AppError 401 `invalid_link` */
    open: (link: string): Promise<FanSession> =>
      openBy(async (tokenHash) => {
        const opened = await store.openByLink(db, hashOf(link), tokenHash);
        if (opened === null) throw new AppError('invalid_link');
        return opened;
      }),

    async authenticate(token: string): Promise<FanActor | null> {
      const row = await store.findFanSession(db, hashOf(token));
      if (row === null) return null;
      if (row.stale) await store.touchFanSession(db, row.session_id);
      const { session_id, id, external_id, conversation_id, creator_id } = row;
      return { sessionId: session_id, fan: { id, external_id, conversation_id, creator_id } };
    },

    async end({ sessionId }: FanActor): Promise<void> {
      await store.deleteFanSession(db, sessionId);
      ended([sessionId]);
    },

    /** Ends all of a fan's sessions and invalidates their session links. */
    async endAll(fan: FanRef): Promise<void> {
      await store.deleteFanSessions(db, fan.id);
      fanLeft(fan.conversation_id);
    },

    live: (sessionIds: readonly string[]): Promise<ReadonlySet<string>> =>
      store.liveFanSessions(db, sessionIds),

    /** Returns sessions that ended recently on any node, including those that an earlier call returned. */
    justEnded: (): Promise<readonly string[]> => store.endedFanSessions(db),
  };
}
