import type { Database } from './db/database.ts';
import { purgeFanSessions } from './fans/fan-sessions/fan-sessions.store.ts';
import { sweepFiles } from './media/new-objects.ts';
import { purgeDrafts } from './messaging/drafts/drafts.store.ts';
import type { Retention } from './messaging/retention/retention.ts';
import { pruneScheduled } from './messaging/scheduled/scheduled.store.ts';
import { pruneDeliveries } from './platform/webhooks/webhooks.store.ts';
import { every } from './realtime/outbox.ts';
import type { ObjectStorage } from './storage/storage.ts';
import { purgeExpired } from './team/auth/auth.store.ts';
import { dropUnusedAvatars } from './team/creator/creator.store.ts';

const HOUSEKEEPING_MS = 10 * 60_000;

interface House {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly retention: Retention;
  /** For which settled webhook deliveries are kept. */
  readonly deliveryDays: number;
}

/** Removes, every ten minutes, what can't be used any more, and sees to it that each day has its round of forgetting. */
export function startHousekeeping(house: House, log: (error: unknown) => void) {
  return every(HOUSEKEEPING_MS, () => keepHouse(house, log), log);
}

/** Runs every step once. A step that fails is logged, and the others run all the same. */
export async function keepHouse(
  { db, storage, retention, deliveryDays }: House,
  log: (error: unknown) => void,
): Promise<void> {
  const steps = [
    () => purgeExpired(db),
    () => purgeFanSessions(db),
    () => purgeDrafts(db),
    () => dropUnusedAvatars(db),
    () => pruneDeliveries(db, deliveryDays),
    () => pruneScheduled(db),
    () => retention.today(),
    () => sweepFiles({ db, storage }),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      log(error);
    }
  }
}
