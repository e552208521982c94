import {
  type FanFacts,
  type FanOffer,
  type FanOfferKind,
  getFanFacts,
  listFanOffers,
} from '@stagedoor/contract/fan-facts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { fanKeys } from './keys.ts';

/** A conversation's fan at a glance. What happens to them asks for it again. */
export const fanFactsOptions = (conversationId: string) =>
  queryOptions({
    queryKey: [...fanKeys.one(conversationId), 'facts'],
    queryFn: async ({ signal }): Promise<FanFacts> =>
      (await call(getFanFacts, { params: { id: conversationId }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

interface OffersPage {
  data: FanOffer[];
  next_cursor: string | null;
}

/** What a conversation's fan bought, or was only offered, page by page. */
export const fanOffersOptions = (conversationId: string, kind: FanOfferKind) =>
  infiniteQueryOptions({
    queryKey: [...fanKeys.one(conversationId), 'offers', kind],
    queryFn: ({ pageParam, signal }): Promise<OffersPage> => {
      const query = { kind, ...(pageParam === null ? {} : { cursor: pageParam }) };
      return call(listFanOffers, { params: { id: conversationId }, query, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
  });
