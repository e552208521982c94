import * as z from 'zod/mini';

export const CampaignState = z.enum([
  'draft',
  'scheduled',
  'running',
  'paused',
  'finished',
  'canceled',
]);
export type CampaignState = z.infer<typeof CampaignState>;
