import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyScope } from '@stagedoor/contract/endpoint';
import { PLATFORM_KEYS_MAX, type PlatformKey } from '@stagedoor/contract/platform/platform-keys';
import { writeAudit } from '../../db/audit.ts';
import { isUuid } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { AppError, keyNotFound } from '../../errors.ts';
import type { Manager } from '../../http/route.ts';
import { requireConfirmed } from '../../team/admins/standing.store.ts';
import * as store from './platform-keys.store.ts';

/** Makes a leaked key recognizable, even to secret scanners. */
const PREFIX = 'sd_live_';
/** Only a string of this form is looked up in the database. */
const KEY = /^sd_live_[A-Za-z0-9_-]{43}$/;
/** How many of a key's last characters are stored, so that people can recognize the key. */
const HINT_CHARS = 4;

export type PlatformKeysService = ReturnType<typeof createPlatformKeys>;

const hashOf = (key: string) => createHash('sha256').update(key).digest();

/** Manages the platform's API keys: one in the settings, and those that managers create. Only hashes are stored. */
export function createPlatformKeys({ db }: Core, settingsKey: string | null) {
  const settingsHash = settingsKey === null ? null : hashOf(settingsKey);

  return {
    /**
     * Checks whether a key is valid for a scope. The key from the settings has the scope `platform`. A revoked key fails from the
     * next request on.
     */
    async authenticate(candidate: string, scope: KeyScope): Promise<boolean> {
      const hash = hashOf(candidate);
      // Hashes have the same length, so the comparison doesn't reveal where two keys differ.
      if (settingsHash !== null && timingSafeEqual(settingsHash, hash)) return scope === 'platform';
      return KEY.test(candidate) && store.useKey(db, hash, scope);
    },

    async list(): Promise<{ data: PlatformKey[]; has_settings_key: boolean }> {
      return { data: await store.listKeys(db), has_settings_key: settingsHash !== null };
    },

    /**
     * Creates a key.
     * @returns the key with its secret, which is not stored and can't be shown again
     * @throws AppError 403 `confirmation_required`, 409 `too_many_keys`
     */
    async create(
      { admin, sessionId }: Manager,
      { name, scope }: { readonly name: string; readonly scope: KeyScope },
    ): Promise<PlatformKey & { key: string }> {
      const key = PREFIX + randomBytes(32).toString('base64url');
      const made = await db.kysely.transaction().execute(async (tx) => {
        await requireConfirmed(tx, sessionId);
        if ((await store.countLiveKeys(tx)) >= PLATFORM_KEYS_MAX)
          throw new AppError('too_many_keys');
        const id = await store.insertKey(tx, {
          name,
          scope,
          hint: key.slice(-HINT_CHARS),
          hash: hashOf(key),
          adminId: admin.id,
        });
        await writeAudit(tx, {
          adminId: admin.id,
          action: 'platform_key.create',
          targetId: id,
          details: { name, ...(scope !== 'platform' && { scope }) },
        });
        return store.findKey(tx, id);
      });
      return { ...made, key };
    },

    /** Revokes a key permanently; a retry changes nothing. @throws AppError 404 `key_not_found` */
    async revoke({ admin }: Manager, id: string): Promise<PlatformKey> {
      if (!isUuid(id)) throw keyNotFound();
      return db.kysely.transaction().execute(async (tx) => {
        const key = await store.revokeKey(tx, id);
        if (key === null) throw keyNotFound();
        if (key.revoked) {
          await writeAudit(tx, {
            adminId: admin.id,
            action: 'platform_key.revoke',
            targetId: id,
            details: { name: key.name },
          });
        }
        return store.findKey(tx, id);
      });
    },
  };
}
