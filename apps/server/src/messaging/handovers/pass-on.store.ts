import { HANDOVER_DRAFT_MAX_CHARS } from '@stagedoor/contract/messaging/handovers';
import { sql } from 'kysely';
import { insertAudit, writeAudit } from '../../db/audit.ts';
import { changeConversations, lockConversations } from '../../db/change-conversation.ts';
import type { Database } from '../../db/database.ts';
import { type ConversationTouched, queueEvent } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import { claimsChanged, teammateUnavailable } from '../../errors.ts';
import { draftTextOf } from '../drafts/drafts.store.ts';

export interface HandoverDraft {
  readonly fromId: string;
  /** A UUID; null releases the claims. */
  readonly toId: string | null;
  readonly clientId: string;
  readonly payloadHash: Buffer;
  readonly brief: string;
  /** UUIDs, each once. */
  readonly items: readonly { readonly conversation_id: string; readonly brief: string }[];
}

/** A new handover, with the outbox ids of its events. */
export interface PassedOn {
  readonly id: string;
  readonly conversations: readonly ConversationTouched[];
  /** The event for the recipient; null if the claims were released. */
  readonly handoverOutboxId: number | null;
}

/**
 * Hands claims over, or releases them. Changes nothing if one of the claims is no longer the giver's.
 * @throws AppError 409 `claims_changed`, `colleague_unavailable`; a violation of `handovers_client_id_key` for a client
 * id that was used before
 */
export function passOn(db: Database, draft: HandoverDraft): Promise<PassedOn> {
  const { fromId, toId, items } = draft;
  return db.kysely.transaction().execute(async (tx) => {
    // A concurrent retry waits here for the first call, then finds that the client id is used.
    const id = await insert(tx, draft);
    // Locks the recipient's row. A concurrent removal of the recipient waits, then releases the claims handed over here.
    if (toId !== null) await requireTaker(tx, toId, fromId);
    await requireClaims(tx, draft);
    const ids = items.map((item) => item.conversation_id);
    const conversations = await changeConversations(tx, [ids, toId, fromId, id], {
      set: 'claimed_by = $2',
      after: `audited as (${insertAudit(
        '$3::uuid',
        'conversation.hand_over',
        'id',
        `jsonb_build_object('to', $2::uuid, 'handover_id', $4::uuid)`,
        'from changed',
      )})`,
    });
    await writeAudit(tx, {
      adminId: fromId,
      action: 'admin.end_shift',
      targetId: fromId,
      details: { to: toId, conversations: conversations.length },
    });
    const handoverOutboxId =
      toId === null ? null : await queueEvent(tx, 'handovers_changed', { admin_id: toId });
    return { id, conversations, handoverOutboxId };
  });
}

async function insert(tx: Tx, draft: HandoverDraft): Promise<string> {
  const { id } = await tx
    .insertInto('handovers')
    .values({
      from_id: draft.fromId,
      to_id: draft.toId,
      client_id: draft.clientId,
      payload_hash: draft.payloadHash,
      brief: draft.brief,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function requireTaker(tx: Tx, toId: string, fromId: string): Promise<void> {
  const taker = await tx
    .selectFrom('admins')
    .select('id')
    .where('id', '=', toId)
    .where('id', '!=', fromId)
    .where('is_active', '=', true)
    .where('can_manage_messages', '=', true)
    .forShare()
    .executeTakeFirst();
  if (taker === undefined) throw teammateUnavailable();
}

/** The giver's draft. Not stored when the claims are released, because nobody would see it. */
const DRAFT = sql.raw(draftTextOf('h.from_id', 'item.conversation_id', HANDOVER_DRAFT_MAX_CHARS));

/** Locks the conversations in id order, like every other handover, and stores each one's brief and the giver's draft. */
async function requireClaims(tx: Tx, { fromId, clientId, items }: HandoverDraft): Promise<void> {
  const ids = items.map((item) => item.conversation_id);
  const held = await lockConversations(
    tx,
    sql`id = any(${ids}::uuid[]) and claimed_by = ${fromId}`,
  );
  if (held.length !== ids.length) throw claimsChanged();
  await sql`
    insert into handover_items (handover_id, conversation_id, position, brief, draft)
    select h.id, item.conversation_id, item.position, item.brief, case when h.to_id is not null then ${DRAFT} end
    from handovers h, jsonb_to_recordset(${JSON.stringify(
      items.map((item, position) => ({ ...item, position })),
    )}::jsonb) as item (conversation_id uuid, position int, brief text)
    where h.from_id = ${fromId} and h.client_id = ${clientId}`.execute(tx);
}
