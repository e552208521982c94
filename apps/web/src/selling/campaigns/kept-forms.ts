import { createStoredInput } from '../../lib/server/stored.ts';
import type { CampaignValues } from './form-values.ts';

/** Unsaved campaigns, each with the version that it is based on, by id; `new` for a campaign that was never saved. */
export const keptForms = createStoredInput<CampaignValues & { readonly version?: number }>(
  'campaigns',
);
