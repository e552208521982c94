import type { BulkAction, BulkResult } from '@stagedoor/contract/bulk';
import type { Conversation } from '@stagedoor/contract/conversations';
import { type Database, isUuid } from '../../db/database.ts';
import { AppError, conversationNotFound, invalidRequest, tagNotFound } from '../../errors.ts';
import type { AdminWith } from '../../http/route.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { ConversationsService } from '../conversations/conversations.service.ts';
import { addLibraryTag, removeTag } from '../fans/fan-tags.store.ts';

interface BulkDependencies {
  readonly db: Database;
  readonly outbox: Pick<Outbox, 'emitted'>;
  readonly conversations: ConversationsService;
}

type Writer = AdminWith<'can_manage_messages'>;

export type BulkService = ReturnType<typeof createBulkService>;

/** What is done with many conversations at once: as often what is done with one, by the same rules. */
export function createBulkService({ db, outbox, conversations }: BulkDependencies) {
  async function tag(before: Conversation, tagId: string, adds: boolean): Promise<boolean> {
    const hasIt = before.fan.admin_tags.some(({ globalTagId }) => globalTagId === tagId);
    if (!adds && !hasIt) return false;
    const change = await db.kysely.transaction().execute(async (tx) => {
      if (!isUuid(tagId)) throw tagNotFound();
      if (adds) return addLibraryTag(tx, before.fan_id, tagId);
      const removed = await removeTag(tx, before.fan_id, tagId);
      // A colleague was faster: nothing of this is to stay.
      if (removed === null) throw tagNotFound();
      return removed;
    });
    if (change === 'no tag') throw tagNotFound();
    if (change === 'too many') throw invalidRequest({ '': 'This fan has too many tags already' });
    if (change === 'unchanged') return false;
    await conversations.changed(change.conversationId);
    outbox.emitted([change.outboxId]);
    return true;
  }

  /** @returns whether anything changed. @throws AppError as what does it with one conversation */
  async function act(actor: Writer, before: Conversation, action: BulkAction): Promise<boolean> {
    const { id, status, claimed_by } = before;
    switch (action.kind) {
      case 'claim':
        if (claimed_by === actor.admin.id) return false;
        await conversations.claim(actor, id);
        return true;
      case 'release':
        if (claimed_by === null) return false;
        await conversations.release(actor, id);
        return true;
      case 'archive':
      case 'unarchive': {
        const to = action.kind === 'archive' ? 'archived' : 'active';
        if (status === to) return false;
        await conversations.setStatus(actor, id, to);
        return true;
      }
      case 'add_tag':
      case 'remove_tag':
        return tag(before, action.tag_id, action.kind === 'add_tag');
    }
  }

  async function one(actor: Writer, id: string, action: BulkAction): Promise<BulkResult> {
    try {
      const changed = await act(actor, await conversations.get(id), action);
      return { id, changed, conversation: await conversations.get(id), failure: null };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const failure = { error: error.message, code: error.code };
      return { id, changed: false, conversation: await there(id), failure };
    }
  }

  async function there(id: string): Promise<Conversation | null> {
    try {
      return await conversations.get(id);
    } catch (error) {
      if (error instanceof AppError && error.code === conversationNotFound().code) return null;
      throw error;
    }
  }

  return {
    /** One after the other; what fails for one leaves the others as they are done. */
    async run(actor: Writer, ids: readonly string[], action: BulkAction): Promise<BulkResult[]> {
      const results: BulkResult[] = [];
      for (const id of new Set(ids)) results.push(await one(actor, id, action));
      return results;
    },
  };
}
