import type { ServerEvent } from '@stagedoor/contract/realtime';
import { queueEvent } from '../db/outbox-events.ts';
import type { Tx } from '../db/tables.ts';
import type { Outbox } from './outbox.ts';
import type { Publisher } from './publish.ts';

type SharedEvent = ServerEvent<'shared_updated'>;

/** A change to data that staff share, with the id of its outbox event. */
export interface SharedUpdate {
  readonly event: SharedEvent;
  /** The only admin who can see the change; null: all can. */
  readonly adminId: string | null;
  readonly outboxId: number;
}

/** Emits a change to shared data, after the commit; never fails. */
export type EmitShared = (update: SharedUpdate) => Promise<void>;

/**
 * Queues the change's event in the transaction that makes the change. @param adminId the only admin who can see it; null: all can
 */
export async function queueSharedUpdate(
  tx: Tx,
  event: SharedEvent,
  adminId: string | null,
): Promise<SharedUpdate> {
  const outboxId = await queueEvent(tx, 'shared_updated', { ...event, admin_id: adminId });
  return { event, adminId, outboxId };
}

export const createEmitShared =
  (publish: Pick<Publisher, 'sharedUpdated'>, outbox: Pick<Outbox, 'emit'>): EmitShared =>
  ({ event, adminId, outboxId }) =>
    outbox.emit([outboxId], () => publish.sharedUpdated(event, adminId));
