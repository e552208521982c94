import { type CampaignTables, sampleCampaigns } from './campaigns.ts';
import { type SampleContest, sampleContests } from './contests.ts';
import { type FanTables, sampleFans } from './fans.ts';
import { createRandom } from './random.ts';
import type { Row } from './row.ts';
import {
  type SaleTables,
  type StoreFile,
  type StorePicture,
  sampleSales,
  storeProducts,
} from './sales.ts';
import { sampleSegments } from './segments.ts';
import { type ShiftTables, sampleShifts } from './shifts.ts';
import { sampleTemplates } from './templates.ts';

const SEED = 20_261_121;

/** The staff besides the owner: email address and role. */
export const SAMPLE_TEAMMATES = [
  ['nadia@example.com', 'manager'],
  ['felix@example.com', 'moderator'],
  ['yara@example.com', 'moderator'],
  ['tom@example.com', 'support'],
] as const;

interface Setting {
  readonly creatorId: string;
  /** The admins who answer the fans. */
  readonly adminIds: readonly string[];
  /** The manager who made the segments and sends the mass messages. */
  readonly managerId: string;
  /** The instant just after the newest messages, in milliseconds since the epoch. */
  readonly now: number;
  readonly storePicture: StorePicture;
  readonly storeFile: StoreFile;
}

export interface SampleData {
  /** The rows of each table, in an order in which they can be inserted. */
  readonly tables: FanTables &
    SaleTables &
    CampaignTables &
    ShiftTables & { templates: Row[]; segments: Row[] };
  /** Contests to add once the sales are booked. */
  readonly contests: readonly SampleContest[];
}

/** Returns the sample data, which is always the same for the same setting. */
export async function sampleData(setting: Setting): Promise<SampleData> {
  const { adminIds, managerId, now, storePicture, storeFile } = setting;
  const fans = sampleFans({ ...setting, random: createRandom(SEED) });
  const products = await storeProducts(storePicture, storeFile);
  const sales = sampleSales(fans, products, now, createRandom(SEED));
  const random = createRandom(SEED);
  const { messages } = fans;
  const tables = {
    ...fans,
    ...sales,
    ...sampleCampaigns({ fans, sales, products, managerId, now, random }),
    ...sampleShifts({ adminIds, messages, now, random: createRandom(SEED) }),
    templates: adminIds.slice(0, 1).flatMap(sampleTemplates),
    segments: sampleSegments(managerId, now),
  };
  return { tables, contests: sampleContests(sales, adminIds) };
}
