import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tx } from './tables.ts';

/** An action for the audit log: the actor, the action and the affected row. */
export interface AuditedAct {
  /** Null for actions of the server itself: by its jobs, from its command line or at its first start. */
  readonly adminId: string | null;
  /** `thing.verb`, for example `product.delete`. */
  readonly action: string;
  readonly targetId: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Records an action in the transaction that performs it, so that neither exists without the other. */
export async function writeAudit(tx: Tx, act: AuditedAct): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      admin_id: act.adminId,
      action: act.action,
      target_id: act.targetId,
      details: JSON.stringify(act.details ?? {}),
    })
    .execute();
}

/**
 * Returns SQL that records an action for each row of `from`, to be part of the statement that performs the action. `adminId`,
 * `targetId` and `details` are SQL expressions; `from` is a clause.
 */
export const insertAudit = (
  adminId: string,
  action: string,
  targetId: string,
  details: string,
  from: string,
) => `insert into audit_log (admin_id, action, target_id, details)
  select ${adminId}, '${action}', ${targetId}, ${details} ${from}`;

/** Purges a batch of the oldest rows. @param days the minimum age @returns the number of purged rows */
export function purgeAudit(db: Database, days: number, batch: number): Promise<number> {
  return db.kysely.transaction().execute(async (tx) => {
    // Without this setting, which ends with the transaction, the audit log's trigger rejects deletions.
    await sql`set local stagedoor.retention = 'on'`.execute(tx);
    const { numAffectedRows = 0n } = await sql`
      delete from audit_log where id in (
        select id from audit_log where at < now() - make_interval(days => ${days}::int)
        order by at limit ${batch} for update skip locked)`.execute(tx);
    return Number(numAffectedRows);
  });
}
