import type { Conversation, ConversationStatus } from '@stagedoor/contract/conversations';
import { type Database, isUuid } from '../../db/database.ts';
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
import { findConversation } from './conversations.store.ts';
import { releaseExpired } from './expired-claims.store.ts';

interface ConversationsDependencies {
  readonly db: Database;
  readonly publish: Publisher;
  readonly outbox: Pick<Outbox, 'emitted'>;
}

export type ConversationsService = ReturnType<typeof createConversationsService>;

type Writer = AdminWith<'can_manage_messages'>;

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

  /** The conversation after an attempt to change it; told to all when it did change. */
  async function settle(id: string, outboxId: number | null): Promise<Conversation> {
    const conversation = await get(id);
    if (outboxId !== null) {
      publish.conversationUpdated({ conversation });
      outbox.emitted([outboxId]);
    }
    return conversation;
  }

  return {
    get,
    settle,

    /**
     * @param from the colleague whose claim it is to be in place of; undefined: nobody's
     * @throws AppError 404, 409 `already_claimed` with who holds it, 403 `permission_required` for taking over
     */
    async claim({ admin }: Writer, id: string, from?: string): Promise<Conversation> {
      const takesOver = from !== undefined && from.toLowerCase() !== admin.id;
      if (takesOver && !admin.permissions.can_manage_admins) throw permissionRequired();
      const act = () =>
        takesOver && isUuid(from) ? takeOver(db, id, admin.id, from) : claim(db, id, admin.id);
      const changed = isUuid(id) ? await act() : null;
      const conversation = await settle(id, changed);
      if (changed === null && conversation.claimed_by !== admin.id) {
        throw alreadyClaimed(conversation.claimant);
      }
      return conversation;
    },

    /**
     * Lets go of a claim: one's own, or anybody's for those who manage admins.
     * @throws AppError 404, or 403 `not_claimant`
     */
    async release({ admin }: Writer, id: string): Promise<Conversation> {
      if (!isUuid(id)) throw conversationNotFound();
      const own = await release(db, id, admin.id);
      const changed =
        own === null && admin.permissions.can_manage_admins
          ? await releaseForOther(db, id, admin.id)
          : own;
      const conversation = await settle(id, changed);
      // A colleague may have claimed what was released a moment ago: the release succeeded all the same.
      if (changed === null && conversation.claimed_by !== null) throw notClaimant();
      return conversation;
    },

    /** @throws AppError 404, or 409 `invalid_transition` */
    async setStatus(_actor: Writer, id: string, status: ConversationStatus): Promise<Conversation> {
      const changed = isUuid(id) ? await setStatus(db, id, status, TRANSITIONS[status]) : null;
      const conversation = await settle(id, changed);
      if (changed === null) {
        throw invalidTransition(
          `A conversation that is ${conversation.status} can’t become ${status}`,
        );
      }
      return conversation;
    },

    /** Ends claims that lasted too long without a word, as the team's rules have it. */
    async releaseExpired(): Promise<void> {
      for (const { conversation_id, outbox_id } of await releaseExpired(db)) {
        const conversation = await findConversation(db, conversation_id);
        if (conversation !== null) publish.conversationUpdated({ conversation });
        outbox.emitted([outbox_id]);
      }
    },

    /** Tells all that something about a conversation changed. */
    async changed(id: string): Promise<void> {
      const conversation = await findConversation(db, id);
      if (conversation !== null) publish.conversationUpdated({ conversation });
    },

    /** For events whose node did not get to them. */
    reemitters: {
      async conversation_updated(ref: { conversation_id: string }) {
        const conversation = await findConversation(db, ref.conversation_id);
        if (conversation !== null) publish.conversationUpdated({ conversation });
      },
    },
  };
}
