import type { Assertion } from '@stagedoor/contract/team/webauthn';
import { writeAudit } from '../../db/audit.ts';
import type { Database } from '../../db/database.ts';
import { type AppError, invalidPasskey, passkeyNeeded } from '../../errors.ts';
import type { AdminActor } from '../../http/route.ts';
import { checkAssertion, requestOptions } from './ceremony.ts';
import { newChallenge, takeChallenge } from './challenges.store.ts';
import * as store from './passkeys.store.ts';
import type { RelyingParty } from './relying-party.ts';

/**
 * Audits that a passkey’s counter did not rise, which may mean that the passkey was copied.
 * @returns the error for the caller
 */
export async function noteSuspicion(db: Database, passkey: store.PasskeyRow): Promise<AppError> {
  await db.kysely.transaction().execute((tx) =>
    writeAudit(tx, {
      adminId: passkey.admin_id,
      action: 'passkey.suspect',
      targetId: passkey.admin_id,
      details: { name: passkey.name },
    }),
  );
  return invalidPasskey(
    'This passkey was rejected because it may have been copied. Use another one, or ask a manager to reset your passkeys.',
  );
}

/** Returns the options for confirming a session with a passkey. @throws AppError 409 `passkey_needed` */
export async function startConfirmation(db: Database, rp: RelyingParty, actor: AdminActor) {
  const known = await store.listPasskeys(db.kysely, actor.admin.id);
  if (known.length === 0) throw passkeyNeeded();
  const challenge = await newChallenge(db, { purpose: 'confirm', sessionId: actor.sessionId });
  return requestOptions(rp, challenge, known);
}

/** Confirms a session with a passkey's signature. @throws AppError 403 `invalid_passkey` */
export async function confirm(
  db: Database,
  rp: RelyingParty,
  { admin, sessionId }: AdminActor,
  response: Assertion,
): Promise<void> {
  const challenge = await takeChallenge(db, response, { purpose: 'confirm', sessionId });
  if (challenge === null) throw invalidPasskey();
  const passkey = await store.findByCredential(db.kysely, admin.id, response.id);
  if (passkey === null) throw invalidPasskey();
  const counter = await checkAssertion(rp, challenge, passkey, response);
  const used = await db.kysely.transaction().execute(async (tx) => {
    if (!(await store.usePasskey(tx, passkey.id, counter))) return false;
    await store.confirmSession(tx, sessionId, passkey);
    return true;
  });
  if (!used) throw await noteSuspicion(db, passkey);
}
