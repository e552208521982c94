import type { SegmentRule } from '@stagedoor/contract/selling/segment-rules';
import { idOf, type Row } from './row.ts';

const SEGMENTS: readonly (readonly [name: string, rule: SegmentRule])[] = [
  [
    'Big spenders',
    {
      all: [
        { field: 'spent', op: 'gte', value: 50 },
        { field: 'last_purchase_at', op: 'within_days', value: 30 },
      ],
    },
  ],
  [
    'Never bought, still writing',
    {
      all: [
        { field: 'purchases', op: 'eq', value: 0 },
        { field: 'last_fan_message_at', op: 'within_days', value: 14 },
      ],
    },
  ],
  [
    'Trial or subscription ends soon',
    {
      all: [
        {
          any: [
            { field: 'subscription', op: 'eq', value: 'trial' },
            { field: 'subscription', op: 'eq', value: 'active' },
          ],
        },
        { field: 'subscription_ends_at', op: 'within_days', value: 7 },
      ],
    },
  ],
];

/**
 * Returns the team's segments.
 * @param makerId the admin who created them
 * @param now when they were created, in milliseconds since the epoch
 */
export const sampleSegments = (makerId: string, now: number): Row[] =>
  SEGMENTS.map(([name, rule]) => ({
    id: idOf(`segment ${name}`),
    name,
    rule,
    created_by: makerId,
    updated_at: new Date(now).toISOString(),
  }));
