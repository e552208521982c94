import * as z from 'zod/mini';

/** In a module of its own, because every client knows the event that has it. */
export const CampaignState = z.enum([
  'draft',
  'scheduled',
  'running',
  'paused',
  'finished',
  'canceled',
]);
export type CampaignState = z.infer<typeof CampaignState>;
