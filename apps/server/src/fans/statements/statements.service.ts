import { randomUUID } from 'node:crypto';
import type {
  FanStatement,
  StatementChange,
  StatementInput,
} from '@stagedoor/contract/fans/statements';
import type { Transaction } from 'kysely';
import { writeAudit } from '../../db/audit.ts';
import { type Database, isUuid } from '../../db/database.ts';
import { queueEvent } from '../../db/outbox-events.ts';
import type { Tables } from '../../db/tables.ts';
import {
  conversationNotFound,
  idempotencyConflict,
  invalidField,
  messageNotFound,
  statementConflict,
  statementNotFound,
  tooManyStatements,
} from '../../errors.ts';
import type { AdminActor } from '../../http/route.ts';
import type { Outbox } from '../../realtime/outbox.ts';
import type { Publisher } from '../../realtime/publish.ts';
import {
  deleteStatement,
  findStatement,
  hasMessage,
  insertStatement,
  isFull,
  lockConversation,
  updateStatement,
} from './statements.store.ts';

type Tx = Transaction<Tables>;

interface StatementsDependencies {
  readonly db: Database;
  readonly publish: Publisher;
  readonly outbox: Pick<Outbox, 'emit'>;
}

export type StatementsService = ReturnType<typeof createStatementsService>;

/** What was done to a statement, as the audit log calls it. */
type Deed = 'pin' | 'make' | 'change' | 'keep' | 'reopen' | 'remove';

/** What fans were told and promised: changed under their conversation's lock, audited, and told to all of the staff. */
export function createStatementsService({ db, publish, outbox }: StatementsDependencies) {
  /** Does what `work` does in one transaction, or nothing of it; then tells all where something changed. */
  async function change<T extends { readonly told: number | null }>(
    work: (tx: Tx) => Promise<T & { readonly conversationId: string }>,
  ): Promise<T> {
    const done = await db.kysely.transaction().execute(work);
    const { told, conversationId } = done;
    if (told !== null)
      await outbox.emit([told], () =>
        publish.statementsChanged({ conversation_id: conversationId }),
      );
    return done;
  }

  /** The words stay out of the log, which outlives the fan. @returns the event's place in the outbox */
  async function note(tx: Tx, actor: AdminActor, statement: FanStatement, deed: Deed) {
    const { id, conversation_id: conversationId, due_at } = statement;
    await writeAudit(tx, {
      adminId: actor.admin.id,
      action: `${due_at === null ? 'statement' : 'promise'}.${deed}`,
      targetId: conversationId,
      details: { statement_id: id },
    });
    return queueEvent(tx, 'statements_changed', { conversation_id: conversationId });
  }

  /** @throws AppError 404 */
  async function locked(tx: Tx, id: string): Promise<FanStatement> {
    const before = isUuid(id) ? await findStatement(tx, id) : null;
    if (before === null || !(await lockConversation(tx, before.conversation_id))) {
      throw statementNotFound();
    }
    return required(tx, id);
  }

  return {
    /**
     * @returns the statement, and whether it is a new one
     * @throws AppError 404 `conversation_not_found` or `message_not_found`, 409 `too_many_statements` or `idempotency_conflict`
     */
    create: (actor: AdminActor, conversationId: string, input: StatementInput) =>
      change(async (tx) => {
        const known = isUuid(conversationId) && (await lockConversation(tx, conversationId));
        if (!known) throw conversationNotFound();
        const id = input.id ?? randomUUID();
        const { text, message_id: messageId = null, due_at: dueAt = null } = input;
        const before = await findStatement(tx, id);
        if (before !== null) return { ...sameAgain(before, actor, conversationId), conversationId };
        const isSaid =
          messageId === null ||
          (isUuid(messageId) && (await hasMessage(tx, { conversationId, messageId })));
        if (!isSaid) throw messageNotFound();
        if (await isFull(tx, conversationId, dueAt !== null)) throw tooManyStatements();
        const row = { id, conversationId, text, messageId, dueAt, adminId: actor.admin.id };
        // Somebody else's, who was quicker.
        if (!(await insertStatement(tx, row))) throw idempotencyConflict(OTHER_ID);
        const statement = await required(tx, id);
        const told = await note(tx, actor, statement, dueAt === null ? 'pin' : 'make');
        return { statement, created: true, told, conversationId };
      }),

    /** @throws AppError 404, 409 `statement_conflict` with what is stored, or 400 */
    update: (actor: AdminActor, id: string, input: StatementChange) =>
      change(async (tx) => {
        const before = await locked(tx, id);
        const { conversation_id: conversationId } = before;
        if (input.version !== undefined && input.version !== before.version) {
          throw statementConflict(before);
        }
        const isPromise = before.due_at !== null;
        if (!isPromise && (input.due_at !== undefined || input.done !== undefined)) {
          throw invalidField('due_at', 'Add a separate promise instead');
        }
        const reopens = input.done === false && before.done_at !== null;
        if (reopens && (await isFull(tx, conversationId, true))) throw tooManyStatements();
        await updateStatement(tx, id, actor.admin.id, input);
        const statement = await required(tx, id);
        const keeps = before.done_at === null && statement.done_at !== null;
        const deed = keeps ? 'keep' : reopens ? 'reopen' : 'change';
        const told = await note(tx, actor, statement, deed);
        return { statement, told, conversationId };
      }),

    /** @throws AppError 404 */
    remove: (actor: AdminActor, id: string) =>
      change(async (tx) => {
        const before = await locked(tx, id);
        await deleteStatement(tx, id);
        const told = await note(tx, actor, before, 'remove');
        return { told, conversationId: before.conversation_id };
      }),

    /** For events whose node did not get to them. */
    reemitters: {
      statements_changed: (ref: { conversation_id: string }) => publish.statementsChanged(ref),
    },
  };
}

const OTHER_ID = 'This id was already used for another statement';

/** @throws AppError 409 where the id is another's */
function sameAgain(statement: FanStatement, { admin }: AdminActor, conversationId: string) {
  const isSame = statement.conversation_id === conversationId && statement.author.id === admin.id;
  if (!isSame) throw idempotencyConflict(OTHER_ID);
  return { statement, created: false, told: null };
}

/** @throws AppError 404 for what was removed a moment ago */
async function required(tx: Tx, id: string): Promise<FanStatement> {
  const statement = await findStatement(tx, id);
  if (statement === null) throw statementNotFound();
  return statement;
}
