import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PLATFORM_KEYS_MAX, type PlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { writeAudit } from '../../db/audit.ts';
import { type Database, isUuid } from '../../db/database.ts';
import { AppError, keyNotFound } from '../../errors.ts';
import type { AdminWith } from '../../http/route.ts';
import { requireConfirmed } from '../../team/admins/standing.store.ts';
import {
  countLiveKeys,
  findKey,
  insertKey,
  listKeys,
  revokeKey,
  useKey,
} from './platform-keys.store.ts';

/** By this a key that turns up somewhere is known for what it is, also by programs that look for leaked ones. */
const PREFIX = 'sd_live_';
/** No other text is worth a look at the database. */
const KEY = /^sd_live_[A-Za-z0-9_-]{43}$/;
/** Characters by which people tell keys apart. */
const HINT_CHARS = 4;

interface PlatformKeysDependencies {
  readonly db: Database;
  /** The key of the server's settings; null where there is none. */
  readonly settingsKey: string | null;
}

type Manager = AdminWith<'can_manage_admins'>;

export type PlatformKeysService = ReturnType<typeof createPlatformKeys>;

const hashOf = (key: string) => createHash('sha256').update(key).digest();

/** The keys by which the platform calls: one of the settings, and those that managers make. Kept as hashes only. */
export function createPlatformKeys({ db, settingsKey }: PlatformKeysDependencies) {
  const settingsHash = settingsKey === null ? null : hashOf(settingsKey);

  return {
    /** Whether this is a key of the platform's. One that is revoked no longer is, from its next call on. */
    async authenticate(candidate: string): Promise<boolean> {
      const hash = hashOf(candidate);
      // Hashes are of one length and say nothing about where two keys differ.
      if (settingsHash !== null && timingSafeEqual(settingsHash, hash)) return true;
      return KEY.test(candidate) && useKey(db, hash);
    },

    async list(): Promise<{ data: PlatformKey[]; has_settings_key: boolean }> {
      return { data: await listKeys(db), has_settings_key: settingsHash !== null };
    },

    /**
     * Makes a key.
     * @returns it with the key itself, which is nowhere else from then on
     * @throws AppError 403 `confirmation_required`, 409 `too_many_keys`
     */
    async create(
      { admin, sessionId }: Manager,
      name: string,
    ): Promise<PlatformKey & { key: string }> {
      const key = PREFIX + randomBytes(32).toString('base64url');
      const made = await db.kysely.transaction().execute(async (tx) => {
        await requireConfirmed(tx, sessionId);
        if ((await countLiveKeys(tx)) >= PLATFORM_KEYS_MAX) throw new AppError('too_many_keys');
        const id = await insertKey(tx, {
          name,
          hint: key.slice(-HINT_CHARS),
          hash: hashOf(key),
          adminId: admin.id,
        });
        await writeAudit(tx, {
          adminId: admin.id,
          action: 'platform_key.create',
          targetId: id,
          details: { name },
        });
        return findKey(tx, id);
      });
      return { ...made, key };
    },

    /** Revokes a key for good; a second time changes nothing. @throws AppError 404 `key_not_found` */
    async revoke({ admin }: Manager, id: string): Promise<PlatformKey> {
      if (!isUuid(id)) throw keyNotFound();
      return db.kysely.transaction().execute(async (tx) => {
        const key = await revokeKey(tx, id);
        if (key === null) throw keyNotFound();
        if (key.revoked) {
          await writeAudit(tx, {
            adminId: admin.id,
            action: 'platform_key.revoke',
            targetId: id,
            details: { name: key.name },
          });
        }
        return findKey(tx, id);
      });
    },
  };
}
