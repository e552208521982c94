import { type Database, isUuid } from '../../db/database.ts';
import * as errors from '../../errors.ts';
import { readerOf } from '../../http/reader.ts';
import type { AdminActor } from '../../http/route.ts';
import { findCampaign, type StoredCampaign } from './campaigns.store.ts';

/**
 * Returns a campaign that the actor may see: managers see all, others see only those that they started.
 * @throws AppError 404
 */
export async function requireVisible(
  db: Database,
  actor: AdminActor,
  id: string,
): Promise<StoredCampaign> {
  const found = isUuid(id) ? await findCampaign(db, id, readerOf(actor)) : null;
  if (found === null) throw errors.campaignNotFound();
  return found;
}
