import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import {
  createSegment,
  explainSegment,
  listSegments,
  previewSegment,
  type Segment,
  type SegmentExplanation,
  type SegmentPreview,
  updateSegment,
} from '@stagedoor/contract/selling/segments';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';
import type { DraftRule } from './draft-rule.ts';

/** How many fans a preview names. */
const PREVIEW_FANS = 8;
/** How long counts stay fresh, in milliseconds. They change all the time, so a return to the page refetches them. */
const FRESH_MS = 15_000;

/** The team's segments by name. An event refreshes them, and all data about them. */
export const segmentsOptions = queryOptions({
  queryKey: ['segments'],
  queryFn: async ({ signal }): Promise<Segment[]> => (await call(listSegments, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** Returns the query for the number of fans who match a rule now, and the first few of them. */
export const previewOptions = (rule: SegmentRule) =>
  queryOptions({
    queryKey: ['segments', 'preview', rule],
    queryFn: async ({ signal }): Promise<SegmentPreview> =>
      (await call(previewSegment, { body: { rule, limit: PREVIEW_FANS }, signal })).data,
    staleTime: FRESH_MS,
  });

/** The last requested count. Lists show many counts, which run one at a time so that they don't keep the database busy. */
let lastCount: Promise<unknown> = Promise.resolve();

/** Returns the query for the number of fans who match a rule now. */
export const segmentCountOptions = (rule: SegmentRule) =>
  queryOptions({
    queryKey: ['segments', 'count', rule],
    queryFn: ({ signal }): Promise<number> => {
      const count = async () => {
        signal.throwIfAborted();
        return (await call(previewSegment, { body: { rule, limit: 0 }, signal })).data.total;
      };
      const counted = lastCount.then(count);
      lastCount = counted.catch(() => undefined);
      return counted;
    },
    staleTime: FRESH_MS,
  });

/**
 * Returns the query for whether a fan matches a rule, and each of its conditions.
 * @param rule a rule whose conditions all have values
 */
export const explainOptions = (rule: DraftRule, conversationId: string) =>
  queryOptions({
    queryKey: ['segments', 'explain', rule, conversationId],
    queryFn: async ({ signal }): Promise<SegmentExplanation> => {
      const body = { rule: rule as SegmentRule, conversation_id: conversationId };
      return (await call(explainSegment, { body, signal })).data;
    },
  });

/** Creates a segment, or changes the one with the id. */
export async function saveSegment({
  id,
  ...body
}: Pick<Segment, 'name' | 'rule'> & { id: string | null }): Promise<Segment> {
  const reply = await (id === null
    ? call(createSegment, { body })
    : call(updateSegment, { params: { id }, body }));
  return reply.data;
}
