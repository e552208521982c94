import type { Conversation, ConversationStatus } from '@stagedoor/contract/inbox/conversations';
import { isUuid } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import type { Base } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { Writer } from '../../http/route.ts';
import {
  assign,
  claim,
  release,
  releaseForOther,
  setStatus,
  takeOver,
  unassign,
} from './actions.store.ts';
import { findConversation, findConversations } from './conversations.store.ts';
import { releaseExpired } from './expired-claims.store.ts';

export type ConversationsService = ReturnType<typeof createConversationsService>;

/** A conversation after an attempt to change it. */
export interface Settled {
  readonly conversation: Conversation;
  readonly changed: boolean;
}

/** The maximum number of conversations read per query to emit their events. */
const EMITTED_TOGETHER = 200;

/** The allowed current statuses for each new status: four transitions in total. */
const TRANSITIONS: Record<ConversationStatus, readonly ConversationStatus[]> = {
  archived: ['active'],
  flagged: ['active'],
  active: ['archived', 'flagged'],
};

/** Claims and releases conversations, and changes their status. Every change is atomic and emitted to all staff. */
export function createConversationsService({ db, publish, outbox }: Base) {
  /** @throws AppError 404 `conversation_not_found` */
  async function get(id: string): Promise<Conversation> {
    const conversation = isUuid(id) ? await findConversation(db, id) : null;
    if (conversation === null) throw errors.conversationNotFound();
    return conversation;
  }

  /** Emits changed conversations, which it reads in batches. */
  async function changed(touched: readonly ConversationTouched[]): Promise<void> {
    for (let from = 0; from < touched.length; from += EMITTED_TOGETHER) {
      const batch = touched.slice(from, from + EMITTED_TOGETHER);
      await outbox.emit(outboxIdsOf(batch), async () => {
        const ids = batch.map(({ conversationId }) => conversationId);
        emit(await findConversations(db, ids));
      });
    }
  }

  function emit(conversations: readonly Conversation[]): void {
    for (const conversation of conversations) publish.conversationUpdated({ conversation });
  }

  /** Returns a conversation after an attempt to change it, and emits it if it changed. */
  async function settle(id: string, touched: readonly ConversationTouched[]) {
    const conversation = await get(id);
    await outbox.emit(outboxIdsOf(touched), () => emit(touched.length > 0 ? [conversation] : []));
    return conversation;
  }

  /** Does the same as {@link settle} for several conversations. Returns those that exist, by id. */
  async function settleAll(
    ids: readonly string[],
    touched: readonly ConversationTouched[],
  ): Promise<ReadonlyMap<string, Settled>> {
    const found = await findConversations(db, ids);
    const changedIds = new Set(touched.map(({ conversationId }) => conversationId));
    const isChanged = ({ id }: Conversation) => changedIds.has(id);
    await outbox.emit(outboxIdsOf(touched), () => emit(found.filter(isChanged)));
    return new Map(
      found.map((conversation) => [
        conversation.id,
        { conversation, changed: isChanged(conversation) },
      ]),
    );
  }

  /** Releases the actor's claims, or anyone's if the actor can manage admins. */
  async function releaseClaims(
    { admin }: Writer,
    ids: readonly string[],
  ): Promise<ConversationTouched[]> {
    const own = await release(db, ids, admin.id);
    if (!admin.permissions.can_manage_admins) return own;
    const done = new Set(own.map(({ conversationId }) => conversationId));
    const others = ids.filter((id) => !done.has(id));
    return others.length === 0 ? own : [...own, ...(await releaseForOther(db, others, admin.id))];
  }

  /** Assigns the conversations that the actor may assign, and skips the others. */
  const assignTo = async ({ admin }: Writer, ids: readonly string[], to: string) =>
    isUuid(to) ? assign(db, ids, admin.id, to, admin.permissions.can_manage_admins) : [];

  return {
    get,
    settle,
    settleAll,
    changed,

    /**
     * Claims a conversation.
     * @param from the teammate to take the claim over from; undefined to claim only if unclaimed
     * @throws AppError 404, 409 `already_claimed` with the claimant, 403 `permission_required` for taking over
     */
    async claim({ admin }: Writer, id: string, from?: string): Promise<Conversation> {
      const takesOver = from !== undefined && from !== admin.id;
      if (takesOver && !admin.permissions.can_manage_admins) throw errors.permissionRequired();
      const act = () =>
        takesOver && isUuid(from) ? takeOver(db, [id], admin.id, from) : claim(db, [id], admin.id);
      const claimed = isUuid(id) ? await act() : [];
      const conversation = await settle(id, claimed);
      if (claimed.length === 0 && conversation.claimed_by !== admin.id) {
        throw errors.alreadyClaimed(conversation.claimant);
      }
      return conversation;
    },

    /** Claims several conversations, except those that are already claimed. @param ids UUIDs in lower case */
    claimAll: async ({ admin }: Writer, ids: readonly string[]) =>
      settleAll(ids, await claim(db, ids, admin.id)),

    /**
     * Claims a conversation for an admin, or releases it.
     * @param to the assignee; null to release
     * @throws AppError 404, 409 `already_claimed`, 403 `not_claimant`
     */
    async assign(actor: Writer, id: string, to: string | null): Promise<Conversation> {
      if (to === null) return this.release(actor, id);
      const assigned = isUuid(id) ? await assignTo(actor, [id], to) : [];
      const conversation = await settle(id, assigned);
      const failure = assigned.length > 0 ? null : notAssigned(actor, conversation, to);
      if (failure !== null) throw failure;
      return conversation;
    },

    /** Assigns several conversations. @param ids UUIDs in lower case */
    assignAll: async (actor: Writer, ids: readonly string[], to: string) =>
      settleAll(ids, await assignTo(actor, ids, to)),

    /** Undoes the actor's assignments of the last minute. @param ids UUIDs in lower case */
    unassignAll: async ({ admin }: Writer, ids: readonly string[]) =>
      settleAll(ids, await unassign(db, ids, admin.id)),

    /**
     * Releases the actor's claim, or anyone's if the actor can manage admins.
     * @throws AppError 404, or 403 `not_claimant`
     */
    async release(actor: Writer, id: string): Promise<Conversation> {
      if (!isUuid(id)) throw errors.conversationNotFound();
      const released = await releaseClaims(actor, [id]);
      const conversation = await settle(id, released);
      // A teammate may already have claimed the released conversation; the release still succeeded.
      if (released.length === 0 && conversation.claimed_by !== null) throw errors.notClaimant();
      return conversation;
    },

    /** Releases several claims. @param ids UUIDs in lower case */
    releaseAll: async (actor: Writer, ids: readonly string[]) =>
      settleAll(ids, await releaseClaims(actor, ids)),

    /** @throws AppError 404, or 409 `invalid_transition` */
    async setStatus(_actor: Writer, id: string, status: ConversationStatus): Promise<Conversation> {
      const set = isUuid(id) ? await setStatus(db, [id], status, TRANSITIONS[status]) : [];
      const conversation = await settle(id, set);
      if (set.length === 0) throw noTransition(conversation, status);
      return conversation;
    },

    /** Sets the status of several conversations whose current status is in `from`. @param ids UUIDs in lower case */
    setStatusAll: async (
      _actor: Writer,
      ids: readonly string[],
      status: ConversationStatus,
      from = TRANSITIONS[status],
    ) => settleAll(ids, await setStatus(db, ids, status, from)),

    /** Releases claims whose holder has been inactive longer than the team's rules allow. */
    releaseExpired: async () => changed(await releaseExpired(db)),

    /** Re-emits events that the originating node failed to emit. */
    reemitters: {
      async conversation_updated(ref: { conversation_id: string }) {
        const conversation = await findConversation(db, ref.conversation_id);
        if (conversation !== null) publish.conversationUpdated({ conversation });
      },
    },
  };
}

const outboxIdsOf = (touched: readonly ConversationTouched[]) =>
  touched.map(({ outboxId }) => outboxId);

/** Returns the error for a conversation that was not assigned; null if the assignee already holds it. */
export function notAssigned(
  { admin }: Writer,
  { claimed_by: holder, claimant }: Conversation,
  to: string,
): errors.AppError | null {
  if (holder === to) return null;
  const isOthers = holder !== null && holder !== admin.id;
  return isOthers && !admin.permissions.can_manage_admins
    ? errors.alreadyClaimed(claimant)
    : errors.adminNotFound();
}

/** @returns AppError 409 `invalid_transition` */
export const noTransition = ({ status }: Conversation, to: ConversationStatus) =>
  errors.invalidTransition(`A conversation that is ${status} can’t be changed to ${to}`);
