import type { FanProfileInput, PlatformFan } from '@stagedoor/contract/platform/platform';
import {
  type Campaign,
  type CampaignInput,
  type CampaignRecipient,
  createCampaign,
  getCampaign,
  listRecipients,
  startCampaign,
} from '@stagedoor/contract/selling/campaigns';
import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import type * as z from 'zod/mini';
import type { Backend } from '../backend.ts';
import { buildFan, type Staff, unique } from '../factories.ts';
import { until } from '../until.ts';

/** SQL that makes the database record each offer to a fan who already owns the product. */
export const NOTE_WRONG_OFFERS = `
  create table wrong_offers (fan_id uuid);
  create function note_wrong_offer() returns trigger language plpgsql as $$ begin
    insert into wrong_offers
      select fan_id from owned_products where fan_id = new.fan_id and product_id = new.product_id;
    return null;
  end $$;
  create trigger noted after insert on product_sends for each row execute function note_wrong_offer()`;

type Overrides = Partial<z.input<typeof CampaignInput>>;

/** Fans whom a campaign can address without reaching those of other tests. */
export interface Group {
  readonly audience: { readonly rule: SegmentRule };
  /** Adds a fan; by default one called Ana. */
  add(profile?: FanProfileInput): Promise<PlatformFan>;
}

export function fanGroup(app: Backend): Group {
  const name = unique('Group');
  return {
    audience: { rule: { all: [{ field: 'name', op: 'contains', value: name }] } },
    add: (profile) => buildFan(app, { ...profile, last_name: name }),
  };
}

/** Saves a campaign, by default one to all fans with a short text. */
export async function buildCampaign(
  { client }: Pick<Staff, 'client'>,
  overrides: Overrides = {},
): Promise<Campaign> {
  const body = {
    name: unique('Campaign'),
    variants: [{ content: 'Hi {first_name|there}' }],
    audience: { rule: { all: [] } },
    ...overrides,
  } as z.input<typeof CampaignInput>;
  return (await client.call(createCampaign, { body })).body.data;
}

export const readCampaign = async (
  { client }: Pick<Staff, 'client'>,
  id: string,
): Promise<Campaign> => (await client.call(getCampaign, { params: { id } })).body.data;

/** Waits until the campaign is finished: each recipient was sent the message or skipped. */
export const finished = (staff: Pick<Staff, 'client'>, id: string) =>
  until('the campaign has finished', async () => {
    const campaign = await readCampaign(staff, id);
    return campaign.finished_at !== null && campaign;
  });

/** Saves a campaign, starts it, and waits until it is finished. */
export async function runCampaign(
  staff: Pick<Staff, 'client'>,
  overrides: Overrides = {},
): Promise<Campaign> {
  const { id } = await buildCampaign(staff, overrides);
  await staff.client.call(startCampaign, { params: { id } });
  return finished(staff, id);
}

/** Returns all recipients of a campaign, page by page. */
export async function recipientsOf(
  { client }: Pick<Staff, 'client'>,
  id: string,
  query: { state?: CampaignRecipient['state']; limit?: number } = {},
): Promise<CampaignRecipient[]> {
  const found: CampaignRecipient[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const { body } = await client.call(listRecipients, {
      params: { id },
      query: { ...query, ...(cursor !== undefined && { cursor }) },
    });
    found.push(...body.data);
    cursor = body.next_cursor;
  }
  return found;
}
