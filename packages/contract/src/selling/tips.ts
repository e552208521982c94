import * as z from 'zod/mini';
import { get } from '../endpoint.ts';
import { byId, namedObject, priceUsd, text, timestamp } from '../primitives.ts';

export const TIP_MESSAGE_MAX_CHARS = 500;
/** The maximum number of tips that clients show in a conversation. Older tips are left out. */
export const TIPS_LISTED = 500;

/** The amount in USD, and the fan's message. */
export const tipInput = {
  amount: priceUsd,
  message: z.optional(text(TIP_MESSAGE_MAX_CHARS)),
};

/** A tip as the thread shows it to both sides. */
export const ThreadTip = namedObject('ThreadTip', {
  id: z.string(),
  /** USD. */
  amount: z.number(),
  message: z.nullable(z.string()),
  tipped_at: timestamp,
});
export type ThreadTip = z.infer<typeof ThreadTip>;

export const listTips = get('/api/messages/admin/conversation/{id}/tips', {
  summary: `The fan’s newest ${TIPS_LISTED} tips that were not refunded, oldest first.`,
  auth: 'admin',
  params: byId,
  replies: { 200: z.object({ data: z.array(ThreadTip) }) },
  errors: ['conversation_not_found'],
});
