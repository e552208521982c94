import type { Conversation, ConversationStatus } from '@stagedoor/contract/inbox/conversations';
import { type Database, isUuid } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import {
  alreadyClaimed,
  conversationNotFound,
  invalidTransition,
  notClaimant,
  permissionRequired,
} from '../../errors.ts';
import type { AdminWith } from '../../http/route.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { Publisher } from '../../realtime/publish.ts';
import { claim, release, releaseForOther, setStatus, takeOver } from './actions.store.ts';
import { findConversation, findConversations } from './conversations.store.ts';
import { releaseExpired } from './expired-claims.store.ts';

interface ConversationsDependencies {
  readonly db: Database;
  readonly publish: Publisher;
  readonly outbox: Pick<Outbox, 'emit'>;
}

export type ConversationsService = ReturnType<typeof createConversationsService>;

type Writer = AdminWith<'can_manage_messages'>;

/** A conversation after an attempt to change it with others. */
export interface Settled {
  readonly conversation: Conversation;
  readonly changed: boolean;
}

/** Conversations that one query reads to emit them. */
const EMITTED_TOGETHER = 200;

/** From which states a status may be set: the four transitions that there are. */
const TRANSITIONS: Record<ConversationStatus, readonly ConversationStatus[]> = {
  archived: ['active'],
  flagged: ['active'],
  active: ['archived', 'flagged'],
};

/** What staff decide about a conversation as a whole. Atomic, and live for everyone. */
export function createConversationsService({ db, publish, outbox }: ConversationsDependencies) {
  /** @throws AppError 404 `conversation_not_found` */
  async function get(id: string): Promise<Conversation> {
    const conversation = isUuid(id) ? await findConversation(db, id) : null;
    if (conversation === null) throw conversationNotFound();
    return conversation;
  }

  /** Emits that conversations changed, with one query for each batch of them. */
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

  /** The conversation after an attempt to change it; emitted when it did change. */
  async function settle(id: string, touched: readonly ConversationTouched[]) {
    const conversation = await get(id);
    await outbox.emit(outboxIdsOf(touched), () => emit(touched.length > 0 ? [conversation] : []));
    return conversation;
  }

  /** As {@link settle}, for several at once; by their ids, without those that don't exist. */
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

  /** Lets go of claims: one's own, or anybody's for those who manage admins. */
  async function letGo({ admin }: Writer, ids: readonly string[]): Promise<ConversationTouched[]> {
    const own = await release(db, ids, admin.id);
    if (!admin.permissions.can_manage_admins) return own;
    const done = new Set(own.map(({ conversationId }) => conversationId));
    const others = ids.filter((id) => !done.has(id));
    return others.length === 0 ? own : [...own, ...(await releaseForOther(db, others, admin.id))];
  }

  return {
    get,
    settle,
    settleAll,
    changed,

    /**
     * @param from the colleague whose claim it is to be in place of; undefined: nobody's
     * @throws AppError 404, 409 `already_claimed` with who holds it, 403 `permission_required` for taking over
     */
    async claim({ admin }: Writer, id: string, from?: string): Promise<Conversation> {
      const takesOver = from !== undefined && from.toLowerCase() !== admin.id;
      if (takesOver && !admin.permissions.can_manage_admins) throw permissionRequired();
      const act = () =>
        takesOver && isUuid(from) ? takeOver(db, [id], admin.id, from) : claim(db, [id], admin.id);
      const claimed = isUuid(id) ? await act() : [];
      const conversation = await settle(id, claimed);
      if (claimed.length === 0 && conversation.claimed_by !== admin.id) {
        throw alreadyClaimed(conversation.claimant);
      }
      return conversation;
    },

    /** Claims several. @param ids UUIDs in lower case */
    claimAll: async ({ admin }: Writer, ids: readonly string[]) =>
      settleAll(ids, await claim(db, ids, admin.id)),

    /**
     * Lets go of a claim: one's own, or anybody's for those who manage admins.
     * @throws AppError 404, or 403 `not_claimant`
     */
    async release(actor: Writer, id: string): Promise<Conversation> {
      if (!isUuid(id)) throw conversationNotFound();
      const released = await letGo(actor, [id.toLowerCase()]);
      const conversation = await settle(id, released);
      // A colleague may have claimed what was released a moment ago: the release succeeded all the same.
      if (released.length === 0 && conversation.claimed_by !== null) throw notClaimant();
      return conversation;
    },

    /** Lets go of several claims. @param ids UUIDs in lower case */
    releaseAll: async (actor: Writer, ids: readonly string[]) =>
      settleAll(ids, await letGo(actor, ids)),

    /** @throws AppError 404, or 409 `invalid_transition` */
    async setStatus(_actor: Writer, id: string, status: ConversationStatus): Promise<Conversation> {
      const set = isUuid(id) ? await setStatus(db, [id], status, TRANSITIONS[status]) : [];
      const conversation = await settle(id, set);
      if (set.length === 0) throw noTransition(conversation, status);
      return conversation;
    },

    /** Sets the status of several. @param ids UUIDs in lower case */
    setStatusAll: async (_actor: Writer, ids: readonly string[], status: ConversationStatus) =>
      settleAll(ids, await setStatus(db, ids, status, TRANSITIONS[status])),

    /** Ends claims that lasted too long without a word, as the team's rules have it. */
    releaseExpired: async () => changed(await releaseExpired(db)),

    /** For events whose node did not get to them. */
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

/** @returns AppError 409 `invalid_transition` */
export const noTransition = ({ status }: Conversation, to: ConversationStatus) =>
  invalidTransition(`A conversation that is ${status} can’t be changed to ${to}`);
