import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** An action that needed a permission: the actor, the action and the affected row. */
export interface AuditedAct {
  /** Null for actions on the server itself: from the command line, or at its first start. */
  readonly adminId: string | null;
  /** `thing.verb`, for example `product.delete`. */
  readonly action: string;
  readonly targetId: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Records an action in the transaction that performs it, so that neither exists without the other. */
export async function writeAudit(tx: Transaction<Tables>, act: AuditedAct): Promise<void> {
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
