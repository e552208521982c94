import { type OpenPromise, PROMISES_LISTED } from '@stagedoor/contract/fans/statements';
import type { Database, Statement } from '../../db/database.ts';
import type { Row } from '../../db/tables.ts';
import { presentStatement, type StatementRow, selectStatements } from './statements.store.ts';

type PromiseRow = StatementRow & OpenPromise['fan'];

const OPEN = 's.due_at is not null and s.done_at is null';
const SOONEST = `order by s.due_at, s.id limit ${PROMISES_LISTED}`;

/** A JSON element of {@link openPromisesOf}. */
export interface OpenPromiseRow extends Row<'fan_statements', 'id' | 'text'> {
  readonly due_at: string;
}

/**
 * Returns an SQL expression for a conversation's open promises: a JSON array, soonest due first; null without open promises.
 * @param conversation an SQL expression for the conversation's id
 */
export const openPromisesOf = (conversation: string, max: number) => `(
  select jsonb_agg(jsonb_build_object('id', o.id, 'text', o.text, 'due_at', o.due_at) order by o.due_at, o.id)
  from (
    select s.id, s.text, s.due_at from fan_statements s where s.conversation_id = ${conversation} and ${OPEN}
    order by s.due_at, s.id limit ${max}
  ) o
)`;

export const presentOpenPromises = (rows: readonly OpenPromiseRow[] | null) =>
  (rows ?? []).map(({ id, text, due_at }) => ({
    id,
    text,
    due_at: new Date(due_at).toISOString(),
  }));

/** Each part of the union uses a different index. Removed admins' promises in unclaimed conversations belong to everyone. */
const openStatement: Statement = {
  name: 'statements_open_promises',
  text: `${selectStatements(
    `(
      select s.* from (
        (select s.id, s.due_at from fan_statements s where s.admin_id = $1 and ${OPEN} ${SOONEST})
        union (select s.id, s.due_at from conversations c join fan_statements s on s.conversation_id = c.id
          where c.claimed_by = $1 and ${OPEN} ${SOONEST})
        union (select s.id, s.due_at from admins a join fan_statements s on s.admin_id = a.id
          join conversations c on c.id = s.conversation_id
          where not a.is_active and c.claimed_by is null and ${OPEN} ${SOONEST})
        order by due_at, id limit ${PROMISES_LISTED}
      ) as soonest join fan_statements s on s.id = soonest.id
    )`,
    ', f.first_name, f.last_name, f.username, f.email, f.avatar_url',
  )} join conversations c on c.id = s.conversation_id join fans f on f.id = c.fan_id order by s.due_at, s.id`,
};

/**
 * Returns the open promises that an admin is responsible for: those they recorded, those in conversations they have claimed,
 * and those of removed admins in unclaimed conversations. Soonest due first.
 */
export async function findOpenPromises(db: Database, adminId: string): Promise<OpenPromise[]> {
  const rows = await db.run<PromiseRow>(openStatement, [adminId]);
  return rows.map((row) => ({
    ...presentStatement(row),
    fan: {
      first_name: row.first_name,
      last_name: row.last_name,
      username: row.username,
      email: row.email,
      avatar_url: row.avatar_url,
    },
  }));
}
