import type { EndpointInput } from '@stagedoor/contract/endpoint';
import {
  type Campaign,
  cancelCampaign,
  createCampaign,
  exportRecipients,
  getCampaign,
  listCampaigns,
  listRecipients,
  pauseCampaign,
  previewCampaign,
  previewUnsavedCampaign,
  type RecipientState,
  resumeCampaign,
  type SkipReason,
  startCampaign,
  unsendCampaign,
  updateCampaign,
} from '@stagedoor/contract/selling/campaigns';
import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';
import { onServerEvent } from '../../lib/server-event-bus.ts';
import { recheckAdmin } from '../../team/auth/queries.ts';

const PAGE_SIZE = 25;
const RECIPIENTS_PAGE_SIZE = 100;
/** The refetch interval of results while fans may still read, answer and buy. Milliseconds. */
const RESULTS_MS = 10_000;

/** A campaign to save. */
export type CampaignBody = EndpointInput<typeof createCampaign>['body'];
/** The part of a campaign that a preview depends on. */
export type UnsavedBody = EndpointInput<typeof previewUnsavedCampaign>['body'];

export interface RecipientFilter {
  state?: RecipientState;
  reason?: SkipReason;
}

/** The part of a campaign that a progress event contains. */
interface Progress {
  state: Campaign['state'];
  counts: Partial<Campaign['counts']>;
}

/** Each campaign's last progress event, and when it arrived. The response to an earlier request may be older than the event. */
const lastProgress = new Map<string, Progress & { at: number }>();

const withProgress = (campaign: Campaign, { state, counts }: Progress): Campaign => ({
  ...campaign,
  state,
  counts: { ...campaign.counts, ...counts },
});

/** Applies the last progress event if it arrived after the campaign was requested. */
function upToDate(campaign: Campaign, requestedAt: number): Campaign {
  const last = lastProgress.get(campaign.id);
  return last && last.at >= requestedAt ? withProgress(campaign, last) : campaign;
}

/** Campaigns, newest first, page by page. */
export const campaignsOptions = infiniteQueryOptions({
  queryKey: ['campaigns', 'list'],
  queryFn: async ({ pageParam, signal }) => {
    const query = { limit: PAGE_SIZE, ...pageParam };
    const requestedAt = Date.now();
    const page = await call(listCampaigns, { query, signal });
    return { ...page, data: page.data.map((each) => upToDate(each, requestedAt)) };
  },
  ...byCursor,
  select: ({ pages }): Campaign[] => pages.flatMap((page) => page.data),
  staleTime: 0,
});

export const campaignOptions = (id: string) =>
  queryOptions({
    queryKey: ['campaigns', 'one', id],
    queryFn: async ({ signal }) => {
      const requestedAt = Date.now();
      return upToDate((await call(getCampaign, { params: { id }, signal })).data, requestedAt);
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.started_at ? RESULTS_MS : false),
  });

/** Returns the query for the recipient counts of a campaign being written. @param body null while it can't be previewed */
export const unsavedPreviewOptions = (body: UnsavedBody | null) =>
  queryOptions({
    queryKey: ['campaigns', 'unsaved', body],
    queryFn: async ({ signal }) =>
      (await call(previewUnsavedCampaign, { body: body as UnsavedBody, signal })).data,
    enabled: body !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** A draft at the version that the user sees. */
type SeenDraft = Pick<Campaign, 'id' | 'version'>;

/** Returns the query for the recipient counts of a saved draft. */
export const previewOptions = ({ id, version }: SeenDraft) =>
  queryOptions({
    queryKey: ['campaigns', 'preview', id, version],
    queryFn: async ({ signal }) => (await call(previewCampaign, { params: { id }, signal })).data,
    staleTime: 0,
    gcTime: 0,
  });

export const recipientsOptions = (id: string, filter: RecipientFilter) =>
  infiniteQueryOptions({
    queryKey: ['campaigns', 'recipients', id, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: RECIPIENTS_PAGE_SIZE, ...pageParam };
      return call(listRecipients, { params: { id }, query, signal });
    },
    ...byCursor,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Fetches a campaign's recipients as CSV. */
export const fetchRecipients = (id: string, filter: RecipientFilter): Promise<string> =>
  call(exportRecipients, { params: { id }, query: filter });

/** Updates the cache with a campaign that the server returned. */
export function putCampaign(client: QueryClient, campaign: Campaign): void {
  client.setQueryData(campaignOptions(campaign.id).queryKey, campaign);
  changeCampaign(client, campaign.id, () => campaign);
}

function changeCampaign(
  client: QueryClient,
  id: string,
  change: (campaign: Campaign) => Campaign,
): void {
  client.setQueryData(campaignOptions(id).queryKey, (held) => held && change(held));
  client.setQueryData(
    campaignsOptions.queryKey,
    (held) =>
      held && {
        ...held,
        pages: held.pages.map((page) => ({
          ...page,
          data: page.data.map((each) => (each.id === id ? change(each) : each)),
        })),
      },
  );
}

/** Returns the stored draft if a call was refused because a teammate has saved it since. */
export const draftIn = (error: Error): Campaign | null =>
  error instanceof ApiError && error.code === 'edit_conflict'
    ? (error.current as unknown as Campaign | null)
    : null;

/** Creates a draft, or saves one over the version that was read. */
export async function saveCampaign(
  before: SeenDraft | null,
  body: CampaignBody,
): Promise<Campaign> {
  if (before === null) return (await call(createCampaign, { body })).data;
  const { id, version } = before;
  return (await call(updateCampaign, { params: { id }, body: { ...body, version } })).data;
}

const ACTIONS = {
  pause: pauseCampaign,
  resume: resumeCampaign,
  cancel: cancelCampaign,
  unsend: unsendCampaign,
} as const;
export type CampaignAction = 'start' | keyof typeof ACTIONS;

/** Starts the given version of a draft, or pauses, resumes, cancels or unsends a campaign. */
export function useCampaignAction({ id, version }: SeenDraft) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: CampaignAction) => {
      const params = { id };
      const requestedAt = Date.now();
      const reply = await (action === 'start'
        ? call(startCampaign, { params, body: { version } })
        : call(ACTIONS[action], { params }));
      return upToDate(reply.data, requestedAt);
    },
    onSuccess: (campaign) => putCampaign(client, campaign),
    onError: (error) => {
      const stored = draftIn(error);
      if (stored) putCampaign(client, stored);
      // A teammate or the server changed the campaign's state first.
      if (error instanceof ApiError && error.code === 'invalid_transition')
        void client.invalidateQueries({ queryKey: ['campaigns', 'one', id] });
      if (error instanceof ApiError && error.status === 403) recheckAdmin(client);
    },
    onSettled: () => void client.invalidateQueries({ queryKey: ['campaigns', 'list'] }),
  });
}

/** Keeps the shown campaigns current. Events carry the counts; results are refetched when the state changes or no fan is left. */
export function useCampaignEvents(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onServerEvent((name, payload) => {
        if (name !== 'campaign_progress' || !('audience' in payload)) return;
        const { campaign_id: id, state, audience, sent, skipped, unsent } = payload;
        const progress = { state, counts: { audience, sent, skipped, unsent } };
        lastProgress.set(id, { ...progress, at: Date.now() });
        let stateChanged = false;
        changeCampaign(client, id, (campaign) => {
          stateChanged ||= campaign.state !== state;
          return withProgress(campaign, progress);
        });
        // A batch's events name its conversations; the last event of a send or unsend names none.
        const noneLeft =
          payload.conversation_ids.length === 0 && sent + skipped + unsent >= audience;
        if (stateChanged || noneLeft) refetchCampaign(client, id);
      }),
    [client],
  );
}

function refetchCampaign(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ['campaigns', 'one', id] });
  void client.invalidateQueries({ queryKey: ['campaigns', 'recipients', id] });
  void client.invalidateQueries({ queryKey: ['campaigns', 'list'] });
}
