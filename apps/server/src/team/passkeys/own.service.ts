import { PASSKEYS_MAX } from '@stagedoor/contract/team/passkeys';
import type { NewCredential } from '@stagedoor/contract/team/webauthn';
import { writeAudit } from '../../db/audit.ts';
import { isUuid, violates } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { AppError, invalidPasskey, passkeyNotFound } from '../../errors.ts';
import type { AdminActor } from '../../http/route.ts';
import { lockStaff } from '../admins/changes.store.ts';
import type { SecurityNotices } from '../admins/security-notices.ts';
import { CONFIRMED_SECONDS, requireConfirmed, type Standing } from '../admins/standing.store.ts';
import { checkCredential, creationOptions } from './ceremony.ts';
import { newChallenge, takeChallenge } from './challenges.store.ts';
import * as store from './passkeys.store.ts';
import type { RelyingParty } from './relying-party.ts';

/** Extra seconds that creating a passkey may take after the confirmation. */
const CEREMONY_SECONDS = 300;

/** Manages an admin's own passkeys. */
export function createOwnPasskeys({ db, publish }: Core, notices: SecurityNotices) {
  const transact = db.kysely.transaction();

  function requireRoom({ passkeys }: Standing): void {
    if (passkeys >= PASSKEYS_MAX) throw new AppError('too_many_passkeys');
  }

  return {
    /** Returns the options for creating another passkey. @throws AppError 403 `confirmation_required`, 409 `too_many_passkeys` */
    async startAddition(rp: RelyingParty, { admin, sessionId }: AdminActor) {
      await transact.execute(async (tx) => requireRoom(await requireConfirmed(tx, sessionId)));
      const challenge = await newChallenge(db, { purpose: 'add', sessionId });
      return creationOptions(rp, challenge, admin, await store.listPasskeys(db.kysely, admin.id));
    },

    /**
     * Saves a new passkey, which also confirms the session.
     * @throws AppError 403 `invalid_passkey`, and the errors of {@link startAddition}
     */
    async add(
      rp: RelyingParty,
      { admin, sessionId }: AdminActor,
      { name, response }: { readonly name: string; readonly response: NewCredential },
    ): Promise<store.PasskeyRow> {
      const challenge = await takeChallenge(db, response, { purpose: 'add', sessionId });
      if (challenge === null) throw invalidPasskey();
      const checked = await checkCredential(rp, challenge, response);
      const added = await transact
        .execute(async (tx) => {
          requireRoom(await requireConfirmed(tx, sessionId, CONFIRMED_SECONDS + CEREMONY_SECONDS));
          const transports = response.response.transports ?? [];
          const passkey = await store.insertPasskey(tx, admin.id, { ...checked, name, transports });
          await store.confirmSession(tx, sessionId, passkey);
          await writeAudit(tx, act('add', admin.id, { name }));
          await notices.add(tx, [admin.id], { what: 'added', name });
          return passkey;
        })
        .catch((error: unknown) => {
          throw violates(error, 'passkeys_credential_id_key') ? invalidPasskey() : error;
        });
      notices.wake();
      return added;
    },

    /** @throws AppError 404 `passkey_not_found` */
    rename: ({ admin }: AdminActor, id: string, name: string): Promise<store.PasskeyRow> =>
      transact.execute(async (tx) => {
        const before = isUuid(id) ? await store.lockPasskey(tx, admin.id, id) : null;
        const after = before && (await store.renamePasskey(tx, admin.id, before.id, name));
        if (after === null) throw passkeyNotFound();
        await writeAudit(tx, act('rename', admin.id, { name, was: before?.name }));
        return after;
      }),

    /** @throws AppError 404 `passkey_not_found`, 403 `confirmation_required`, 409 `last_passkey` */
    async remove({ admin, sessionId }: AdminActor, id: string): Promise<void> {
      const ended = await transact.execute(async (tx) => {
        // Prevents the role from requiring passkeys in the meantime.
        await lockStaff(tx);
        const passkey = isUuid(id) ? await store.lockPasskey(tx, admin.id, id) : null;
        if (passkey === null) throw passkeyNotFound();
        const { passkeys, required } = await requireConfirmed(tx, sessionId);
        if (required && passkeys === 1) throw new AppError('last_passkey');
        const sessions = await store.deletePasskey(tx, passkey.id, sessionId);
        // Otherwise these sessions would stay open when the role later requires a passkey.
        if (passkeys === 1) await store.unconfirmSessions(tx, admin.id);
        await writeAudit(tx, act('remove', admin.id, { name: passkey.name }));
        await notices.add(tx, [admin.id], { what: 'removed', name: passkey.name });
        return sessions;
      });
      for (const session of ended) publish.sessionEnded(session);
      notices.wake();
    },
  };
}

export type OwnPasskeys = ReturnType<typeof createOwnPasskeys>;

const act = (verb: string, adminId: string, details: Readonly<Record<string, unknown>>) => ({
  adminId,
  action: `passkey.${verb}`,
  targetId: adminId,
  details,
});
