import { createHash, randomUUID } from 'node:crypto';
import { type AttachmentInput, namedAttachment } from '@stagedoor/contract/messaging/messages';
import {
  SCHEDULE_DAYS_MAX,
  SCHEDULED_MAX,
  type ScheduledMessage,
} from '@stagedoor/contract/messaging/scheduled';
import { writeAudit } from '../../db/audit.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { AdminActor, Writer } from '../../http/route.ts';
import { resolveAttachments } from '../messages/outgoing-attachments.ts';
import { identitiesOf, type MessagesDependencies } from '../messages/send.service.ts';
import { takeNow } from './due.store.ts';
import * as store from './scheduled.store.ts';
import type { ScheduledSends } from './send-scheduled.ts';

type Attachments = ScheduledMessage['attachments'];

interface ScheduledDependencies extends Core {
  readonly sends: Pick<ScheduledSends, 'settle'>;
  readonly refusalOf: MessagesDependencies['refusalOf'];
}

interface ScheduleInput {
  readonly content: string;
  readonly attachments: readonly AttachmentInput[];
  readonly send_at: string;
  readonly is_follow_up: boolean;
}
type Changes = { readonly [F in keyof ScheduleInput]?: ScheduleInput[F] | undefined };

const DAY_MS = 86_400_000;

export type ScheduledService = ReturnType<typeof createScheduledService>;

/** Manages scheduled messages, which are sent in the name of the admin who scheduled them. */
export function createScheduledService(dependencies: ScheduledDependencies) {
  const { db, links, sends, changeShared, refusalOf, requireConversation } = dependencies;

  async function read(id: string): Promise<ScheduledMessage> {
    const found = await store.findScheduled(db, id);
    if (found === null) throw errors.scheduledNotFound();
    return found;
  }

  /** Returns the message that was scheduled with a key. @throws AppError 409 if the retry differs */
  async function same(
    { id, payload_hash }: { readonly id: string; readonly payload_hash: Buffer | null },
    payloadHash: Buffer,
  ): Promise<ScheduledMessage> {
    if (payload_hash !== null && !payload_hash.equals(payloadHash))
      throw errors.idempotencyConflict();
    return read(id);
  }

  /** Checks a message as a send would. Returns its attachments as lists show them. @throws AppError as a send does */
  async function check(
    target: { readonly conversationId: string; readonly ownerId: string },
    { content, attachments }: Pick<ScheduleInput, 'content' | 'attachments'>,
  ): Promise<Attachments> {
    if (content.trim() === '' && attachments.length === 0)
      throw errors.invalidField('content', 'Write a message or attach a file');
    const refusal = refusalOf({ content, attachments });
    if (refusal !== null) throw refusal;
    const resolved = await resolveAttachments({ db, links }, target, attachments);
    return resolved.attachments.flatMap(({ type, filename, product }, index) => {
      const input = attachments[index];
      const label = product?.title ?? filename;
      return input === undefined ? [] : [{ input: namedAttachment(input), type, label }];
    });
  }

  /** Locks and returns a message that can still be changed. @throws AppError 403 if the author is a teammate, 404, 409 */
  async function requireOpen(tx: Tx, { admin }: Writer, id: string, managers: boolean) {
    const stored = await store.lockScheduled(tx, id);
    if (stored === null) throw errors.scheduledNotFound();
    const may = stored.admin_id === admin.id || (managers && admin.permissions.can_manage_admins);
    if (!may) throw errors.permissionRequired();
    if (!store.isOpen(stored) || stored.is_taken || stored.was_sent)
      throw errors.scheduledSettled();
    return stored;
  }

  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    db.kysely.transaction().execute(work);

  return {
    /** @throws AppError 404 `conversation_not_found` */
    async listIn(conversationId: string): Promise<ScheduledMessage[]> {
      await requireConversation(conversationId);
      return store.listOpen(db, 'conversation', conversationId);
    },

    /** @throws AppError 403 for `all`, if the actor can't manage admins */
    list({ admin }: AdminActor, scope: 'mine' | 'all'): Promise<ScheduledMessage[]> {
      if (scope === 'mine') return store.listOpen(db, 'admin', admin.id);
      if (!admin.permissions.can_manage_admins) throw errors.permissionRequired();
      return store.listOpen(db, 'all', null);
    },

    /**
     * Schedules a message.
     * @param key the idempotency key, chosen by the caller; null if the call can't be retried safely
     * @throws AppError as a send does, 400 for a time in the past or too far ahead, 409 `too_many_scheduled`, or
     * `idempotency_conflict` for a key that was used for another message
     */
    async schedule(
      { admin }: Writer,
      conversationId: string,
      input: ScheduleInput,
      key: string | null,
    ): Promise<{ scheduled: ScheduledMessage; created: boolean }> {
      await requireConversation(conversationId);
      const clientId = key ?? randomUUID();
      const payloadHash = hashOf(conversationId, input);
      // Looked up before the time is checked, because a retry may arrive after that time.
      const earlier = await store.findByKey(db.kysely, admin.id, clientId);
      if (earlier !== null) return { scheduled: await same(earlier, payloadHash), created: false };
      const sendAt = timeOf(input.send_at);
      const target = { conversationId, ownerId: admin.id };
      const attachments = await check(target, input);
      const made = await changeShared(async (tx, share) => {
        const waiting = await store.countWaiting(tx, admin.id);
        // `countWaiting` took the lock: a duplicate with this key is either already stored or waits for this one.
        const first = await store.findByKey(tx, admin.id, clientId);
        if (first !== null) return { ...first, created: false };
        if (waiting >= SCHEDULED_MAX) throw new errors.AppError('too_many_scheduled');
        const id = await store.insertScheduled(tx, {
          conversationId,
          adminId: admin.id,
          clientId,
          payloadHash,
          content: input.content.trim() || ' ',
          attachments,
          sendAt,
          isFollowUp: input.is_follow_up,
        });
        if (id === null) throw errors.conversationNotFound();
        await store.keepUploads(tx, attachments, sendAt);
        await share({ what: 'scheduled', conversation_id: conversationId });
        return { id, payload_hash: payloadHash, created: true };
      });
      return { scheduled: await same(made, payloadHash), created: made.created };
    },

    /** @throws AppError as {@link schedule}, 403 if the author is a teammate, 404, 409 `edit_conflict` or `scheduled_settled` */
    async update(
      actor: Writer,
      id: string,
      { version, ...changes }: Changes & { readonly version: number },
    ): Promise<ScheduledMessage> {
      const before = await transact((tx) => requireOpen(tx, actor, id, false));
      // The change may be invalid because the message has just been sent; report that instead.
      const next = await merged(before, changes).catch(async (error: unknown) => {
        await transact((tx) => requireOpen(tx, actor, id, false));
        throw error;
      });
      const isStale = await changeShared(async (tx, share) => {
        const stored = await requireOpen(tx, actor, id, false);
        if (stored.version !== version) return true;
        await store.updateScheduled(tx, stored.id, next, next.is_follow_up && !stored.is_follow_up);
        await store.keepUploads(tx, stored.attachments, null);
        await store.keepUploads(tx, next.attachments, next.send_at);
        await share({ what: 'scheduled', conversation_id: stored.conversation_id });
        return false;
      });
      const after = await read(before.id);
      if (isStale)
        throw store.isOpen(after) ? errors.editConflict(after) : errors.scheduledSettled();
      return after;
    },

    /** @throws AppError 403 if the author is a teammate and the actor can't manage admins, 404, 409 `scheduled_settled` */
    cancel: (actor: Writer, id: string): Promise<void> =>
      changeShared(async (tx, share) => {
        const found = await requireOpen(tx, actor, id, true);
        await store.cancelScheduled(tx, found.id);
        await store.keepUploads(tx, found.attachments, null);
        if (found.admin_id !== actor.admin.id) {
          await writeAudit(tx, {
            adminId: actor.admin.id,
            action: 'scheduled.cancel_for_other',
            targetId: found.conversation_id,
            details: { scheduled_by: found.admin_id },
          });
        }
        await share({ what: 'scheduled', conversation_id: found.conversation_id });
      }),

    /**
     * Sends the message now, regardless of its time and of newer messages in the conversation.
     * @returns the message's id
     * @throws AppError 403 if the author is a teammate, 404, 409 `scheduled_settled`, 422 `scheduled_failed` with the reason
     */
    async sendNow(actor: Writer, id: string): Promise<string> {
      const taken = await transact(async (tx) => {
        const { id: own } = await requireOpen(tx, actor, id, false);
        return takeNow(tx, own);
      });
      const outcome = await sends.settle(taken);
      if (outcome.state === 'sent') return outcome.messageId;
      if (outcome.state === 'waiting') throw new errors.AppError('unavailable');
      throw errors.scheduledFailed(outcome.reason);
    },
  };

  async function merged(before: store.StoredScheduled, changes: Changes) {
    const content = changes.content === undefined ? before.content : changes.content.trim() || ' ';
    const inputs = changes.attachments ?? before.attachments.map(({ input }) => input);
    const target = { conversationId: before.conversation_id, ownerId: before.admin_id };
    return {
      content,
      attachments: await check(target, { content, attachments: inputs }),
      send_at: timeOf(changes.send_at ?? before.send_at.toISOString()),
      is_follow_up: changes.is_follow_up ?? before.is_follow_up,
    };
  }
}

/** Returns a hash that is the same for the same message, regardless of how the client wrote it. */
function hashOf(conversationId: string, input: ScheduleInput): Buffer {
  const payload = [
    conversationId,
    input.content.trim(),
    identitiesOf(input.attachments),
    new Date(input.send_at).toISOString(),
    input.is_follow_up,
  ];
  return createHash('sha256').update(JSON.stringify(payload)).digest();
}

/** @throws AppError 400 for a time in the past, or too far ahead */
function timeOf(text: string): Date {
  const at = new Date(text);
  const ahead = at.getTime() - Date.now();
  if (!(ahead > 0)) throw errors.invalidField('send_at', 'Choose a time in the future');
  if (ahead > SCHEDULE_DAYS_MAX * DAY_MS)
    throw errors.invalidField('send_at', 'Choose a time within a year');
  return at;
}
