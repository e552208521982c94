import type { Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Something that needed a permission: by whom, what, and to which row. */
export interface AuditedAct {
  /** Null for what is done on the server itself: by its command line, or at its first start. */
  readonly adminId: string | null;
  /** `thing.verb`, for example `product.delete`. */
  readonly action: string;
  readonly targetId: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Writes an act down in the transaction that does it, so that there is neither one without the other. */
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
