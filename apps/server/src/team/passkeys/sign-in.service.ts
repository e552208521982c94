import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import type { Assertion, NewCredential } from '@stagedoor/contract/team/webauthn';
import { writeAudit } from '../../db/audit.ts';
import { violates } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import { AppError, invalidPasskey, signInExpired } from '../../errors.ts';
import { presentAdmin } from '../admins/admins.store.ts';
import type { SecurityNotices } from '../admins/security-notices.ts';
import { insertSession, type PendingStep } from '../auth/auth.store.ts';
import { newSession, type SessionSecrets, sha256 } from '../auth/session-secrets.ts';
import { checkAssertion, checkCredential, creationOptions, requestOptions } from './ceremony.ts';
import { newChallenge, takeChallenge } from './challenges.store.ts';
import { noteSuspicion } from './confirm.service.ts';
import {
  findByCredential,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  usePasskey,
} from './passkeys.store.ts';
import type { RelyingParty } from './relying-party.ts';
import {
  arrive,
  consumePending,
  findPending,
  type PendingSignIn,
  takePendingTry,
} from './sign-in.store.ts';

type SignedIn = SessionSecrets & { readonly admin: SignedInAdmin };

/** Completes a sign-in after a correct code, with an existing passkey or the admin's first one. */
export function createPasskeySignIn({ db }: Core, notices: SecurityNotices) {
  async function pendingOf(token: string, step: PendingStep): Promise<PendingSignIn> {
    const pending = await findPending(db, sha256(token), step);
    if (pending === null) throw signInExpired();
    return pending;
  }

  /** Uses up a try and the response's challenge. */
  async function answered(
    token: string,
    step: PendingStep,
    response: Assertion | NewCredential,
  ): Promise<{ pending: PendingSignIn; challenge: string }> {
    const pending = await takePendingTry(db, sha256(token), step);
    if (pending === null) throw signInExpired();
    const purpose = step === 'passkey' ? 'sign_in' : 'enrol';
    const challenge = await takeChallenge(db, response, { purpose, pendingId: pending.id });
    if (challenge === null) throw await noteFailure(pending);
    return { pending, challenge };
  }

  /** Audits that a passkey was not accepted. @returns the error for the caller */
  async function noteFailure({ admin_id }: PendingSignIn): Promise<AppError> {
    await db.kysely.transaction().execute((tx) =>
      writeAudit(tx, {
        adminId: admin_id,
        action: 'sign_in.fail',
        targetId: admin_id,
        details: { factor: 'passkey' },
      }),
    );
    return invalidPasskey();
  }

  return {
    /** Returns the options for signing in with a passkey. @throws AppError 401 `sign_in_expired` */
    async startSignIn(rp: RelyingParty, token: string) {
      const { id, admin_id } = await pendingOf(token, 'passkey');
      const challenge = await newChallenge(db, { purpose: 'sign_in', pendingId: id });
      return requestOptions(rp, challenge, await listPasskeys(db.kysely, admin_id));
    },

    /** Opens the session. @throws AppError 401 `sign_in_expired`, 403 `invalid_passkey` */
    async finishSignIn(rp: RelyingParty, token: string, response: Assertion): Promise<SignedIn> {
      const { pending, challenge } = await answered(token, 'passkey', response);
      const passkey = await findByCredential(db.kysely, pending.admin_id, response.id);
      if (passkey === null) throw await noteFailure(pending);
      const counter = await checkAssertion(rp, challenge, passkey, response).catch(async () => {
        throw await noteFailure(pending);
      });
      return openByPasskey(pending, passkey, counter);
    },

    /** Returns the options for creating the first passkey. @throws AppError 401 `sign_in_expired` */
    async startEnrolment(rp: RelyingParty, token: string) {
      const { id, admin_id, email } = await pendingOf(token, 'enrol');
      const challenge = await newChallenge(db, { purpose: 'enrol', pendingId: id });
      return creationOptions(rp, challenge, { id: admin_id, email }, []);
    },

    /** Saves the first passkey and opens the session. @throws AppError 401 `sign_in_expired`, 403 `invalid_passkey` */
    async finishEnrolment(
      rp: RelyingParty,
      token: string,
      { name, response }: { readonly name: string; readonly response: NewCredential },
    ): Promise<SignedIn> {
      const { pending, challenge } = await answered(token, 'enrol', response);
      const checked = await checkCredential(rp, challenge, response);
      const { secrets, hashes } = newSession();
      const admin = await db.kysely
        .transaction()
        .execute(async (tx) => {
          if (!(await consumePending(tx, pending.id))) throw signInExpired();
          const arrived = await arrive(tx, pending.admin_id);
          // An admin who got a passkey in the meantime must use it.
          if (arrived === null || arrived.passkeys > 0) throw signInExpired();
          const transports = response.response.transports ?? [];
          const passkey = await insertPasskey(tx, arrived.id, { ...checked, name, transports });
          await insertSession(tx, arrived.id, passkey.id, {
            ...hashes,
            userAgent: pending.user_agent,
          });
          await writeAudit(tx, {
            adminId: arrived.id,
            action: 'passkey.add',
            targetId: arrived.id,
            details: { name },
          });
          await notices.add(tx, [arrived.id], { what: 'added', name });
          return presentAdmin(arrived);
        })
        .catch((error: unknown) => {
          throw violates(error, 'passkeys_credential_id_key') ? invalidPasskey() : error;
        });
      notices.wake();
      return { ...secrets, admin };
    },
  };

  async function openByPasskey(
    pending: PendingSignIn,
    passkey: PasskeyRow,
    counter: number,
  ): Promise<SignedIn> {
    const { secrets, hashes } = newSession();
    try {
      const admin = await db.kysely.transaction().execute(async (tx) => {
        if (!(await consumePending(tx, pending.id))) throw signInExpired();
        if (!(await usePasskey(tx, passkey.id, counter))) throw invalidPasskey();
        const arrived = await arrive(tx, pending.admin_id);
        if (arrived === null) throw signInExpired();
        const userAgent = pending.user_agent;
        await insertSession(tx, arrived.id, passkey.id, { ...hashes, userAgent });
        return presentAdmin(arrived);
      });
      return { ...secrets, admin };
    } catch (error) {
      const isSuspect = error instanceof AppError && error.code === 'invalid_passkey';
      throw isSuspect ? await noteSuspicion(db, passkey) : error;
    }
  }
}

export type PasskeySignIn = ReturnType<typeof createPasskeySignIn>;
