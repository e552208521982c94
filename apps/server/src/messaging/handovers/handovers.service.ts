import { createHash } from 'node:crypto';
import { HANDOVER_MAX, type Handover } from '@stagedoor/contract/messaging/handovers';
import { isUuid, violates } from '../../db/database.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { AdminActor, Writer } from '../../http/route.ts';
import { accept, findByClientId, findHandover, findHandovers } from './handovers.store.ts';
import { type PassedOn, passOn } from './pass-on.store.ts';
import { countClaims, findShift } from './shift.store.ts';

export type HandoversService = ReturnType<typeof createHandoversService>;

interface HandoverInput {
  readonly client_id: string;
  readonly to: string | null;
  readonly brief: string;
  readonly items: readonly { readonly conversation_id: string; readonly brief: string }[];
}

/** Ends shifts: hands an admin's claimed conversations over to a teammate, with notes, or releases them. */
export function createHandoversService(deps: Core) {
  const { db, publish, outbox } = deps;

  async function emitHandover(made: PassedOn, toId: string | null): Promise<void> {
    await deps.conversationChanged(made.conversations);
    if (toId === null || made.handoverOutboxId === null) return;
    await outbox.emit([made.handoverOutboxId], () => publish.handoversChanged({ admin_id: toId }));
  }

  async function require(id: string): Promise<Handover> {
    const handover = await findHandover(db, id);
    if (handover === null) throw errors.handoverNotFound();
    return handover;
  }

  return {
    /** Returns the caller's claimed conversations, each with its open items. */
    async shift({ admin }: AdminActor) {
      const items = await findShift(db, admin.id);
      const total = items.length < HANDOVER_MAX ? items.length : await countClaims(db, admin.id);
      return { items, total };
    },

    /**
     * Hands claims over, all or none.
     * @throws AppError 409 `claims_changed`, `colleague_unavailable`, `idempotency_conflict`
     */
    async handOver(
      { admin }: Writer,
      input: HandoverInput,
    ): Promise<{ handover: Handover; created: boolean }> {
      const { client_id: clientId, brief, to: toId, items } = input;
      if (toId !== null && !isUuid(toId)) throw errors.teammateUnavailable();
      const ids = new Set(items.map((item) => item.conversation_id));
      if (ids.size < items.length || ![...ids].every(isUuid)) throw errors.claimsChanged();
      const payloadHash = createHash('sha256')
        .update(JSON.stringify([toId, brief, items]))
        .digest();
      try {
        const draft = { fromId: admin.id, toId, clientId, payloadHash, brief, items };
        const made = await passOn(db, draft);
        await emitHandover(made, toId);
        return { handover: await require(made.id), created: true };
      } catch (error) {
        if (violates(error, 'handovers_to_id_fkey')) throw errors.teammateUnavailable();
        if (!violates(error, 'handovers_client_id_key')) throw error;
      }
      const original = await findByClientId(db, admin.id, clientId);
      if (original === null) throw errors.handoverNotFound();
      if (!original.payload_hash.equals(payloadHash))
        throw errors.idempotencyConflict('This id was already used for another handover');
      return { handover: await require(original.id), created: false };
    },

    /** Returns the handovers to the caller. */
    list: ({ admin }: AdminActor): Promise<Handover[]> => findHandovers(db, admin.id),

    /** @throws AppError 404 `handover_not_found`, also for a handover to another admin */
    async accept({ admin }: AdminActor, id: string): Promise<Handover> {
      if (!isUuid(id)) throw errors.handoverNotFound();
      const outboxId = await accept(db, id, admin.id);
      if (outboxId !== null)
        await outbox.emit([outboxId], () => publish.handoversChanged({ admin_id: admin.id }));
      const handover = await require(id);
      if (handover.to?.id !== admin.id) throw errors.handoverNotFound();
      return handover;
    },

    /** Re-emits events that the originating node failed to emit. */
    reemitters: { handovers_changed: publish.handoversChanged },
  };
}
