import {
  type Delivery,
  type DeliveryState,
  getDelivery,
  getWebhook,
  listDeliveries,
  redeliver,
  testWebhook,
} from '@stagedoor/contract/platform/webhooks';
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';

const PAGE_SIZE = 50;
/** The refetch interval while deliveries are waiting. Milliseconds. */
const WAITING_MS = 3_000;
/** The refetch interval of the health while nothing is waiting. Milliseconds. */
const QUIET_MS = 10_000;

/** The webhook's URL and health, refetched regularly while it is shown. */
const webhookOptions = queryOptions({
  queryKey: ['platform', 'webhook', 'health'],
  queryFn: async ({ signal }) => (await call(getWebhook, { signal })).data,
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => {
    if (data === undefined || data.url === null) return false;
    return data.waiting > 0 ? WAITING_MS : QUIET_MS;
  },
});

/**
 * Returns the query for deliveries, newest first, page by page.
 * @param state null for all states
 */
export const deliveriesOptions = (state: DeliveryState | null) =>
  infiniteQueryOptions({
    queryKey: ['platform', 'webhook', 'deliveries', 'list', state],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(state === null ? {} : { state }), ...pageParam };
      return call(listDeliveries, { query, signal });
    },
    ...byCursor,
    select: ({ pages }): Delivery[] => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // A refetch loads all shown pages in sequence, so the interval grows with their number.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some((delivery) => delivery.state === 'waiting'))
        ? WAITING_MS * data.pages.length
        : false,
  });

/** Returns the query for one delivery with its tries and body. */
export const deliveryOptions = (id: string) =>
  queryOptions({
    queryKey: ['platform', 'webhook', 'deliveries', 'delivery', id],
    queryFn: async ({ signal }) => (await call(getDelivery, { params: { id }, signal })).data,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? WAITING_MS : false),
  });

/** Returns the webhook's health. Refetches the deliveries whenever it changes. */
export function useWebhook() {
  const client = useQueryClient();
  const webhook = useQuery(webhookOptions);
  const { data } = webhook;
  const previous = useRef(data);
  useEffect(() => {
    // React Query keeps the same object while the data is equal.
    if (previous.current !== undefined && previous.current !== data)
      void client.invalidateQueries({ queryKey: ['platform', 'webhook', 'deliveries'] });
    previous.current = data;
  }, [data, client]);
  return webhook;
}

/** Sends a test event and returns its delivery. */
export function useTestWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(testWebhook)).data,
    onSettled: () => void client.invalidateQueries({ queryKey: ['platform', 'webhook'] }),
  });
}

/** Sends a delivery again, by its id. */
export function useRedeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await call(redeliver, { params: { id } })).data,
    onSuccess: (delivery) =>
      client.setQueryData(
        deliveryOptions(delivery.id).queryKey,
        (known) => known && { ...known, ...delivery },
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: ['platform', 'webhook'] }),
  });
}
