import type { BulkAction, BulkResult } from '@stagedoor/contract/inbox/bulk';
import type { ConversationStatus } from '@stagedoor/contract/inbox/conversations';
import { type Database, isUuid } from '../../db/database.ts';
import type { ConversationTouched } from '../../db/outbox-events.ts';
import {
  type AppError,
  alreadyClaimed,
  conversationNotFound,
  invalidRequest,
  notClaimant,
  tagNotFound,
} from '../../errors.ts';
import { addLibraryTag, removeLibraryTag } from '../../fans/fans/fan-tags.store.ts';
import type { Writer } from '../../http/route.ts';
import { markUnread, unmarkUnread } from '../conversations/actions.store.ts';
import {
  type ConversationsService,
  noTransition,
  notAssigned,
  type Settled,
} from '../conversations/conversations.service.ts';
import { snoozeEnd } from './queue.service.ts';
import { snooze, unsnooze } from './snooze.store.ts';

interface BulkDependencies {
  readonly db: Database;
  readonly conversations: ConversationsService;
  readonly readAll: ReadAll;
}

/** Marks all messages of conversations as read by staff, and emits the change. @param ids UUIDs @returns the changed ids */
export type ReadAll = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** The result of an action for each conversation, and the reason for each failure. */
interface Done {
  readonly settled: ReadonlyMap<string, Settled>;
  readonly failureOf: (one: Settled) => AppError | null;
}

/** Returns the results of an action that never fails for a conversation that exists. */
const always = (settled: Done['settled']): Done => ({ settled, failureOf: () => null });

export type BulkService = ReturnType<typeof createBulkService>;

/** Applies single-conversation actions to many conversations with a few queries, by the same rules. */
export function createBulkService({ db, conversations, readAll }: BulkDependencies) {
  async function addTag(ids: readonly string[], tagId: string): Promise<Done> {
    const added = isUuid(tagId)
      ? await db.kysely.transaction().execute((tx) => addLibraryTag(tx, ids, tagId))
      : null;
    const tooMany = invalidRequest({ '': 'This fan already has too many tags' });
    return {
      settled: await conversations.settleAll(ids, added?.touched ?? []),
      failureOf({ conversation: { id } }) {
        if (added === null) return tagNotFound();
        return added.full.has(id) ? tooMany : null;
      },
    };
  }

  async function removeTag(ids: readonly string[], tagId: string): Promise<Done> {
    const touched = isUuid(tagId)
      ? await db.kysely.transaction().execute((tx) => removeLibraryTag(tx, ids, tagId))
      : [];
    return always(await conversations.settleAll(ids, touched));
  }

  async function setStatus(
    actor: Writer,
    ids: readonly string[],
    to: ConversationStatus,
  ): Promise<Done> {
    return {
      settled: await conversations.setStatusAll(actor, ids, to),
      failureOf: ({ conversation }) =>
        conversation.status === to ? null : noTransition(conversation, to),
    };
  }

  /** Marks conversations as read. If a conversation has no unread messages, removes staff's unread mark from it. */
  async function read(ids: readonly string[]): Promise<Done> {
    const read = await readAll(ids);
    const unmarked = await unmarkUnread(db, ids);
    const settled = new Map(await conversations.settleAll(ids, unmarked));
    for (const [id, one] of settled) if (read.has(id)) settled.set(id, { ...one, changed: true });
    return always(settled);
  }

  async function act(actor: Writer, ids: readonly string[], action: BulkAction): Promise<Done> {
    const changedBy = async (touched: readonly ConversationTouched[]) =>
      always(await conversations.settleAll(ids, touched));
    // Conversations with another status stay as they are.
    const activated = async (from: ConversationStatus) =>
      always(await conversations.setStatusAll(actor, ids, 'active', [from]));
    switch (action.kind) {
      case 'claim':
        return {
          settled: await conversations.claimAll(actor, ids),
          failureOf: ({ conversation: { claimed_by, claimant } }) =>
            claimed_by === actor.admin.id ? null : alreadyClaimed(claimant),
        };
      case 'release':
        return {
          settled: await conversations.releaseAll(actor, ids),
          failureOf: ({ conversation }) =>
            conversation.claimed_by === null ? null : notClaimant(),
        };
      case 'assign':
        return {
          settled: await conversations.assignAll(actor, ids, action.admin_id),
          failureOf: ({ conversation }) => notAssigned(actor, conversation, action.admin_id),
        };
      case 'unassign':
        return {
          settled: await conversations.unassignAll(actor, ids),
          failureOf: ({ conversation: { claimed_by, claimant } }) =>
            claimed_by === null ? null : alreadyClaimed(claimant),
        };
      case 'archive':
        return setStatus(actor, ids, 'archived');
      case 'flag':
        return setStatus(actor, ids, 'flagged');
      case 'unarchive':
        return activated('archived');
      case 'unflag':
        return activated('flagged');
      case 'read':
        return read(ids);
      case 'unread':
        return changedBy(await markUnread(db, ids));
      case 'snooze':
        return changedBy(await snooze(db, ids, actor.admin.id, snoozeEnd(action.until)));
      case 'unsnooze':
        return changedBy(await unsnooze(db, ids, actor.admin.id));
      case 'add_tag':
        return addTag(ids, action.tag_id);
      case 'remove_tag':
        return removeTag(ids, action.tag_id);
    }
  }

  return {
    /** Runs an action. A failure for one conversation doesn't affect the others. @returns the results in the order of the ids */
    async run(actor: Writer, ids: readonly string[], action: BulkAction): Promise<BulkResult[]> {
      const unique = [...new Set(ids)];
      const { settled, failureOf } = await act(actor, unique.filter(isUuid), action);
      return unique.map((id) => {
        const one = settled.get(id);
        const error =
          one === undefined ? conversationNotFound() : one.changed ? null : failureOf(one);
        return {
          id,
          changed: one?.changed ?? false,
          conversation: one?.conversation ?? null,
          failure: error && { error: error.message, code: error.code },
        };
      });
    },
  };
}
