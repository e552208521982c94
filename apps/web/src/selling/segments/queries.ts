import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import {
  listSegments,
  previewSegment,
  type Segment,
  type SegmentPreview,
} from '@stagedoor/contract/selling/segments';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/server/api.ts';

/** How many fans a preview names. */
const PREVIEW_FANS = 8;
/** Counts change all the time, so they are refreshed when the page is looked at again. Milliseconds. */
const FRESH_MS = 15_000;

/** The team's segments by name. An event refreshes them, and everything about them. */
export const segmentsOptions = queryOptions({
  queryKey: ['segments'],
  queryFn: async ({ signal }): Promise<Segment[]> => (await call(listSegments, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** How many fans match a rule now, and the first of them. */
export const previewOptions = (rule: SegmentRule) =>
  queryOptions({
    queryKey: ['segments', 'preview', rule],
    queryFn: async ({ signal }): Promise<SegmentPreview> =>
      (await call(previewSegment, { body: { rule, limit: PREVIEW_FANS }, signal })).data,
    staleTime: FRESH_MS,
  });
