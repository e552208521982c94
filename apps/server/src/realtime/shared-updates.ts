import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { Transaction } from 'kysely';
import { queueEvent } from '../db/outbox-events.ts';
import type { Tables } from '../db/tables.ts';
import type { Outbox } from './outbox.ts';
import type { Publisher } from './publish.ts';

type SharedEvent = ServerEvent<'shared_updated'>;

/** A change of what staff share, with its event's id in the outbox. */
export interface SharedUpdate {
  readonly event: SharedEvent;
  /** The one admin who sees what changed; null: all do. */
  readonly adminId: string | null;
  readonly outboxId: number;
}

/** Emits a change of what staff share, after the commit; never fails. */
export type EmitShared = (update: SharedUpdate) => Promise<void>;

/** Queues the event of a change in the transaction that makes it. @param adminId the one who sees it; null: all do */
export async function queueSharedUpdate(
  tx: Transaction<Tables>,
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
