import type { ServerEvent } from '@stagedoor/contract/realtime';
import type { Database } from '../db/database.ts';
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

/** Queues the event of a change. @param adminId the only admin who can see the change; by default, all can */
export type Share = (event: SharedEvent, adminId?: string | null) => Promise<void>;

/** Runs `work` in a transaction, and after the commit emits what `work` shared. */
export type ChangeShared = <T>(work: (tx: Tx, share: Share) => Promise<T>) => Promise<T>;

export const createChangeShared =
  ({ kysely }: Database, emitShared: EmitShared): ChangeShared =>
  async (work) => {
    const updates: SharedUpdate[] = [];
    const result = await kysely.transaction().execute((tx) =>
      work(tx, async (event, adminId = null) => {
        const outboxId = await queueEvent(tx, 'shared_updated', { ...event, admin_id: adminId });
        updates.push({ event, adminId, outboxId });
      }),
    );
    for (const update of updates) await emitShared(update);
    return result;
  };

export const createEmitShared =
  (publish: Pick<Publisher, 'sharedUpdated'>, outbox: Pick<Outbox, 'emit'>): EmitShared =>
  ({ event, adminId, outboxId }) =>
    outbox.emit([outboxId], () => publish.sharedUpdated(event, adminId));
