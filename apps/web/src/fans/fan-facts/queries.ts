import {
  type FanFacts,
  type FanOffer,
  type FanOfferKind,
  getFanFacts,
  listFanOffers,
  replaceFanLanguages,
} from '@stagedoor/contract/fans/fan-facts';
import type { LanguageCode } from '@stagedoor/contract/language-codes';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import { byCursor } from '../../lib/server/by-cursor.ts';

/** Returns the query for the key facts about a conversation's fan. Events about the fan refetch them. */
export const fanFactsOptions = (conversationId: string) =>
  queryOptions({
    queryKey: ['fan', conversationId, 'facts'],
    queryFn: async ({ signal }): Promise<FanFacts> =>
      (await call(getFanFacts, { params: { id: conversationId }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Saves the languages of a conversation's fan.
 * @returns the updated facts
 */
export const saveLanguages = async (
  conversationId: string,
  languages: readonly LanguageCode[],
): Promise<FanFacts> => {
  const body = { languages: [...languages] };
  return (await call(replaceFanLanguages, { params: { id: conversationId }, body })).data;
};

interface OffersPage {
  data: FanOffer[];
  next_cursor: string | null;
}

/** Returns the query for the products that a conversation's fan bought or was only offered, page by page. */
export const fanOffersOptions = (conversationId: string, kind: FanOfferKind) =>
  infiniteQueryOptions({
    queryKey: ['fan', conversationId, 'offers', kind],
    queryFn: ({ pageParam, signal }): Promise<OffersPage> => {
      const query = { kind, ...pageParam };
      return call(listFanOffers, { params: { id: conversationId }, query, signal });
    },
    ...byCursor,
    staleTime: Number.POSITIVE_INFINITY,
  });
