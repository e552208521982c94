import type { Database } from './db/database.ts';
import { purgeExpired } from './features/auth/auth.store.ts';
import { dropUnusedAvatars } from './features/creator/creator.store.ts';
import { purgeDrafts } from './features/drafts/drafts.store.ts';
import { purgeFanSessions } from './features/fan-sessions/fan-sessions.store.ts';
import { sweepFiles } from './features/media/new-objects.ts';
import type { Retention } from './features/retention/retention.ts';
import { pruneScheduled } from './features/scheduled/scheduled.store.ts';
import { pruneDeliveries } from './features/webhooks/webhooks.store.ts';
import { every } from './realtime/outbox.ts';
import type { ObjectStorage } from './storage/storage.ts';

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
