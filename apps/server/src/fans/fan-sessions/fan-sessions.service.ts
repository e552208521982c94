import { createHash, randomBytes } from 'node:crypto';
import { FAN_LINK_MINUTES, type FanSession } from '@stagedoor/contract/platform/fan-app';
import type { Database } from '../../db/database.ts';
import { AppError, fanNotFound } from '../../errors.ts';
import type { FanActor } from '../../http/route.ts';
import type { FanRef } from '../fans/fans.store.ts';
import {
  deleteFanSession,
  deleteFanSessions,
  endedFanSessions,
  findFanSession,
  insertLink,
  liveFanSessions,
  type OpenedSession,
  openByLink,
  touchFanSession,
} from './fan-sessions.store.ts';

interface FanSessionsDependencies {
  readonly db: Database;
  /** Closes the sockets of sessions that are over. */
  readonly ended: (sessionIds: readonly string[]) => void;
  /** Closes all sockets of a fan. */
  readonly fanLeft: (conversationId: string) => void;
}

export type FanSessionsService = ReturnType<typeof createFanSessions>;

/** 256 bits that nobody guesses; kept as their hash only. */
const newToken = () => randomBytes(32).toString('base64url');
const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** How fans are let into the fan client: a short-lived link, exchanged for a session's token. */
export function createFanSessions({ db, ended, fanLeft }: FanSessionsDependencies) {
  /** Opens a session as `insert` does it, under the hash of its token. */
  async function openBy(
    insert: (tokenHash: Buffer) => Promise<OpenedSession>,
  ): Promise<FanSession> {
    const token = newToken();
    const opened = await insert(hashOf(token));
    ended(opened.ended);
    return { token, expires_at: opened.expires_at.toISOString() };
  }

  return {
    openBy,

    /**
     * A link for a fan, to be handed to nobody else.
     * @param checkoutUrl where they pay; null: nowhere
     * @throws AppError 404 `fan_not_found` for one who was erased a moment ago
     */
    async createLink(
      fanId: string,
      checkoutUrl: string | null,
    ): Promise<{ link: string; expires_at: string }> {
      const link = newToken();
      const expiresAt = await insertLink(db, {
        fanId,
        linkHash: hashOf(link),
        minutes: FAN_LINK_MINUTES,
        checkoutUrl,
      });
      if (expiresAt === null) throw fanNotFound();
      return { link, expires_at: expiresAt.toISOString() };
    },

    /** Exchanges a link for a session. @throws AppError 401 `invalid_link` */
    open: (link: string): Promise<FanSession> =>
      openBy(async (tokenHash) => {
        const opened = await openByLink(db, hashOf(link), tokenHash);
        if (opened === null) throw new AppError('invalid_link');
        return opened;
      }),

    /** @returns the fan of a live session, or null */
    async authenticate(token: string): Promise<FanActor | null> {
      const row = await findFanSession(db, hashOf(token));
      if (row === null) return null;
      if (row.stale) await touchFanSession(db, row.session_id);
      const { session_id, id, external_id, conversation_id, creator_id } = row;
      return { sessionId: session_id, fan: { id, external_id, conversation_id, creator_id } };
    },

    async end({ sessionId }: FanActor): Promise<void> {
      await deleteFanSession(db, sessionId);
      ended([sessionId]);
    },

    /** Ends all of a fan's sessions, and voids the links to new ones. */
    async endAll(fan: FanRef): Promise<void> {
      await deleteFanSessions(db, fan.id);
      fanLeft(fan.conversation_id);
    },

    /** Those of the sessions that are still good. */
    live: (sessionIds: readonly string[]): Promise<ReadonlySet<string>> =>
      liveFanSessions(db, sessionIds),

    /** Sessions that ended a moment ago, on whatever node; more than once the same. */
    justEnded: (): Promise<readonly string[]> => endedFanSessions(db),
  };
}
