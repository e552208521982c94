import {
  DONE_PROMISES_LISTED,
  type FanStatement,
  STATEMENTS_MAX,
  type StatementChange,
} from '@stagedoor/contract/fans/statements';
import { sql } from 'kysely';
import { type Database, runIn, type Statement } from '../../db/database.ts';
import type { Row, Tx } from '../../db/tables.ts';

export interface StatementRow
  extends Row<'fan_statements'>,
    Row<'admins', 'codename' | 'display_color'> {
  readonly done_codename: string | null;
  readonly done_color: string | null;
}

/** Returns a query for complete statements. @param source a table expression with the columns of `fan_statements` */
export const selectStatements = (source: string, extra = '') => `
  select s.*, a.codename, a.display_color, d.codename as done_codename, d.display_color as done_color ${extra}
  from ${source} s join admins a on a.id = s.admin_id left join admins d on d.id = s.done_by`;

export const presentStatement = (row: StatementRow): FanStatement => ({
  id: row.id,
  conversation_id: row.conversation_id,
  text: row.text,
  message_id: row.message_id,
  due_at: row.due_at?.toISOString() ?? null,
  done_at: row.done_at?.toISOString() ?? null,
  done_by:
    row.done_by === null || row.done_codename === null || row.done_color === null
      ? null
      : { id: row.done_by, codename: row.done_codename, display_color: row.done_color },
  author: { id: row.admin_id, codename: row.codename, display_color: row.display_color },
  created_at: row.created_at.toISOString(),
  version: row.version,
});

const listStatement: Statement = {
  name: 'statements_list',
  text: selectStatements(`(
    (select * from fan_statements where conversation_id = $1 and due_at is null
      order by created_at desc, id limit ${STATEMENTS_MAX})
    union all (select * from fan_statements where conversation_id = $1 and due_at is not null and done_at is null
      order by due_at, id limit ${STATEMENTS_MAX})
    union all (select * from fan_statements where conversation_id = $1 and done_at is not null
      order by done_at desc, id limit ${DONE_PROMISES_LISTED})
  )`),
};

/** @param conversationId a UUID */
export async function findStatements(
  db: Database,
  conversationId: string,
): Promise<FanStatement[]> {
  return (await db.run<StatementRow>(listStatement, [conversationId])).map(presentStatement);
}

const findText = selectStatements('(select * from fan_statements where id = $1)');

/** @param id a UUID */
export async function findStatement(tx: Tx, id: string): Promise<FanStatement | null> {
  const [row] = await runIn<StatementRow>(tx, findText, [id]);
  return row ? presentStatement(row) : null;
}

/** Returns whether a fan has reached the limit of statements or of open promises. */
export async function isFull(tx: Tx, conversationId: string, promises: boolean): Promise<boolean> {
  const { count } = await tx
    .selectFrom('fan_statements')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('conversation_id', '=', conversationId)
    .where('due_at', promises ? 'is not' : 'is', null)
    .where('done_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count >= STATEMENTS_MAX;
}

/** @param ids UUIDs */
export async function hasMessage(
  tx: Tx,
  ids: { readonly conversationId: string; readonly messageId: string },
): Promise<boolean> {
  const message = await tx
    .selectFrom('messages')
    .select('id')
    .where('id', '=', ids.messageId)
    .where('conversation_id', '=', ids.conversationId)
    .executeTakeFirst();
  return message !== undefined;
}

export interface NewStatement {
  readonly id: string;
  readonly conversationId: string;
  readonly text: string;
  readonly messageId: string | null;
  /** An ISO instant. */
  readonly dueAt: string | null;
  readonly adminId: string;
}

/** Stores a statement. @returns false if one with this id already exists */
export async function insertStatement(tx: Tx, given: NewStatement): Promise<boolean> {
  const inserted = await tx
    .insertInto('fan_statements')
    .values({
      id: given.id,
      conversation_id: given.conversationId,
      text: given.text,
      message_id: given.messageId,
      due_at: given.dueAt === null ? null : new Date(given.dueAt),
      admin_id: given.adminId,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes the given fields. The caller has compared the version under the conversation's lock. */
export async function updateStatement(
  tx: Tx,
  id: string,
  adminId: string,
  { text, due_at, done }: StatementChange,
): Promise<void> {
  await tx
    .updateTable('fan_statements')
    .set((eb) => ({
      version: eb('version', '+', 1),
      ...(text !== undefined && { text }),
      ...(due_at !== undefined && { due_at: new Date(due_at) }),
      ...(done === true && {
        done_at: sql<Date>`coalesce(done_at, date_trunc('milliseconds', clock_timestamp()))`,
        done_by: sql<string>`coalesce(done_by, ${adminId})`,
      }),
      ...(done === false && { done_at: null, done_by: null }),
    }))
    .where('id', '=', id)
    .execute();
}

/** Deletes a statement. @returns whether it existed */
export async function deleteStatement(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('fan_statements')
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
