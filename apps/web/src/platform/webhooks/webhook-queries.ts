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

const PAGE_SIZE = 50;
/** While something waits, what shows it is asked for anew this often. Milliseconds. */
const WAITING_MS = 3_000;
/** While nothing does, only whether anything happened, and this often. Milliseconds. */
const QUIET_MS = 10_000;

const KEY = ['platform', 'webhook'] as const;
const DELIVERIES = [...KEY, 'deliveries'] as const;

/** Where events go, and how that fares. It is asked for again and again as long as it is looked at. */
export const webhookOptions = queryOptions({
  queryKey: [...KEY, 'health'],
  queryFn: async ({ signal }) => (await call(getWebhook, { signal })).data,
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => {
    if (data === undefined || data.url === null) return false;
    return data.waiting > 0 ? WAITING_MS : QUIET_MS;
  },
});

/** Deliveries, the newest first, page by page. @param state null: in every state */
export const deliveriesOptions = (state: DeliveryState | null) =>
  infiniteQueryOptions({
    queryKey: [...DELIVERIES, 'list', state],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: PAGE_SIZE,
        ...(state === null ? {} : { state }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      };
      return call(listDeliveries, { query, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    select: ({ pages }): Delivery[] => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
    staleTime: 0,
    // All pages that are shown are asked for again, one after the other: the more they are, the less often.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some((delivery) => delivery.state === 'waiting'))
        ? WAITING_MS * data.pages.length
        : false,
  });

/** One delivery with its tries and its body. */
export const deliveryOptions = (id: string) =>
  queryOptions({
    queryKey: [...DELIVERIES, 'one', id],
    queryFn: async ({ signal }) => (await call(getDelivery, { params: { id }, signal })).data,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? WAITING_MS : false),
  });

/** How the webhook fares. The deliveries are asked for anew whenever that shows that something happened. */
export function useWebhook() {
  const client = useQueryClient();
  const webhook = useQuery(webhookOptions);
  const { data } = webhook;
  const told = useRef(data);
  useEffect(() => {
    // The same figures stay the same object.
    if (told.current !== undefined && told.current !== data)
      void client.invalidateQueries({ queryKey: DELIVERIES });
    told.current = data;
  }, [data, client]);
  return webhook;
}

/** Sends a test event; gives its delivery. */
export function useTestWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(testWebhook)).data,
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}

/** Delivers the event of an id again. */
export function useRedeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await call(redeliver, { params: { id } })).data,
    onSuccess: (delivery) =>
      client.setQueryData(
        deliveryOptions(delivery.id).queryKey,
        (known) => known && { ...known, ...delivery },
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}
