import type {
  FanStatement,
  StatementChange,
  StatementInput,
} from '@stagedoor/contract/fans/statements';
import { sql } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import { lockConversations } from '../../db/change-conversation.ts';
import { isUuid } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { AdminActor } from '../../http/route.ts';
import * as store from './statements.store.ts';

export type StatementsService = ReturnType<typeof createStatementsService>;

type AuditVerb = 'pin' | 'make' | 'change' | 'keep' | 'reopen' | 'remove';

/** Manages statements and promises. Changes happen under the conversation's lock, are audited, and are emitted to all staff. */
export function createStatementsService({ db, publish, outbox }: Core) {
  /** Runs `work` in a transaction, then emits the change, if any. */
  async function change<T extends { readonly outboxId: number | null }>(
    work: (tx: Tx) => Promise<T & { readonly conversationId: string }>,
  ): Promise<T> {
    const done = await db.kysely.transaction().execute(work);
    const { outboxId, conversationId } = done;
    if (outboxId !== null)
      await outbox.emit([outboxId], () =>
        publish.statementsChanged({ conversation_id: conversationId }),
      );
    return done;
  }

  /** Audits a change without the text, because the log outlives the fan, and queues the event. @returns its outbox id */
  async function note(tx: Tx, actor: AdminActor, statement: FanStatement, verb: AuditVerb) {
    const { id, conversation_id: conversationId, due_at } = statement;
    await writeAudit(tx, {
      adminId: actor.admin.id,
      action: `${due_at === null ? 'statement' : 'promise'}.${verb}`,
      targetId: conversationId,
      details: { statement_id: id },
    });
    return queueEvent(tx, 'statements_changed', { conversation_id: conversationId });
  }

  /** Locks the conversation, which is required to count and change its statements. @returns whether it exists */
  async function lock(tx: Tx, conversationId: string): Promise<boolean> {
    if (!isUuid(conversationId)) return false;
    return (await lockConversations(tx, sql`id = ${conversationId}`)).length > 0;
  }

  /** @throws AppError 404 */
  async function locked(tx: Tx, id: string): Promise<FanStatement> {
    const before = isUuid(id) ? await store.findStatement(tx, id) : null;
    if (before === null || !(await lock(tx, before.conversation_id))) {
      throw errors.statementNotFound();
    }
    return required(tx, id);
  }

  return {
    /**
     * Records a statement or promise.
     * @returns the statement, and whether it is new
     * @throws AppError 404 `conversation_not_found` or `message_not_found`, 409 `too_many_statements`, `idempotency_conflict` or
     * `statement_conflict` with the stored statement
     */
    create: (actor: AdminActor, conversationId: string, input: StatementInput) =>
      change(async (tx) => {
        if (!(await lock(tx, conversationId))) throw errors.conversationNotFound();
        const id = input.id ?? newId();
        const { text, message_id: messageId = null, due_at: dueAt = null } = input;
        const row = { id, conversationId, text, messageId, dueAt, adminId: actor.admin.id };
        const before = await store.findStatement(tx, id);
        if (before !== null) return { ...sameAgain(before, row), conversationId };
        const messageExists =
          messageId === null ||
          (isUuid(messageId) && (await store.hasMessage(tx, { conversationId, messageId })));
        if (!messageExists) throw errors.messageNotFound();
        if (await store.isFull(tx, conversationId, dueAt !== null))
          throw errors.tooManyStatements();
        // A concurrent call used the id first.
        if (!(await store.insertStatement(tx, row))) throw errors.idempotencyConflict(OTHER_ID);
        const statement = await required(tx, id);
        const outboxId = await note(tx, actor, statement, dueAt === null ? 'pin' : 'make');
        return { statement, created: true, outboxId, conversationId };
      }),

    /** @throws AppError 400, 404, 409 `statement_conflict` with the stored statement, or `too_many_statements` */
    update: (actor: AdminActor, id: string, input: StatementChange) =>
      change(async (tx) => {
        const before = await locked(tx, id);
        const { conversation_id: conversationId } = before;
        if (input.version !== undefined && input.version !== before.version) {
          throw errors.statementConflict(before);
        }
        const isPromise = before.due_at !== null;
        if (!isPromise && (input.due_at !== undefined || input.done !== undefined)) {
          throw errors.invalidField('due_at', 'Add a separate promise instead');
        }
        const reopens = input.done === false && before.done_at !== null;
        if (reopens && (await store.isFull(tx, conversationId, true)))
          throw errors.tooManyStatements();
        await store.updateStatement(tx, id, actor.admin.id, input);
        const statement = await required(tx, id);
        const keeps = before.done_at === null && statement.done_at !== null;
        const verb = keeps ? 'keep' : reopens ? 'reopen' : 'change';
        const outboxId = await note(tx, actor, statement, verb);
        return { statement, outboxId, conversationId };
      }),

    /** @throws AppError 404 */
    remove: (actor: AdminActor, id: string) =>
      change(async (tx) => {
        const before = await locked(tx, id);
        await store.deleteStatement(tx, id);
        const outboxId = await note(tx, actor, before, 'remove');
        return { outboxId, conversationId: before.conversation_id };
      }),

    /** Re-emits events that the originating node failed to emit. */
    reemitters: { statements_changed: publish.statementsChanged },
  };
}

const OTHER_ID = 'This id was already used for another statement';

/** Returns the result of a retry. @throws AppError 409 if the id belongs to another statement */
function sameAgain(statement: FanStatement, given: store.NewStatement) {
  const { conversation_id: conversationId, author, text, message_id, due_at, version } = statement;
  if (conversationId !== given.conversationId || author.id !== given.adminId)
    throw errors.idempotencyConflict(OTHER_ID);
  const dueAt = given.dueAt && new Date(given.dueAt).toISOString();
  const isSame = text === given.text && message_id === given.messageId && due_at === dueAt;
  // Once the statement was changed, it can't be compared with the call.
  if (version === 1 && !isSame) throw errors.statementConflict(statement);
  return { statement, created: false, outboxId: null };
}

/** @throws AppError 404 if the statement was just removed */
async function required(tx: Tx, id: string): Promise<FanStatement> {
  const statement = await store.findStatement(tx, id);
  if (statement === null) throw errors.statementNotFound();
  return statement;
}
