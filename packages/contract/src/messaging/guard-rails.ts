import * as z from 'zod/mini';
import { get, managed, put } from '../endpoint.ts';
import { namedObject, priceUsd, requiredText } from '../primitives.ts';

export const BANNED_WORDS_MAX = 500;
/** The longest banned word or phrase, in UTF-16 units. */
export const BANNED_WORD_MAX_CHARS = 60;

/** Limits that managers set on staff messages: banned words and price bounds. */
export const GuardRails = namedObject('GuardRails', {
  /** Words and phrases as typed. */
  banned_words: z.array(z.string()),
  /** The lowest and highest price of a product in a message, in USD; null for no additional limit. */
  price_min: z.nullable(z.number()),
  price_max: z.nullable(z.number()),
  /** Rises with each change. */
  version: z.int(),
});
export type GuardRails = z.infer<typeof GuardRails>;

const reply = z.object({ data: GuardRails });

export const getGuardRails = get('/api/messages/admin/guard-rails', {
  summary: 'The banned words and price limits for messages.',
  auth: 'admin',
  replies: { 200: reply },
});

export const updateGuardRails = put('/api/messages/admin/guard-rails', {
  summary:
    'Set the banned words and price limits for messages. They apply immediately; `version` is the one the caller last read.',
  ...managed,
  body: z.strictObject({
    version: z.int(),
    banned_words: z.array(requiredText(BANNED_WORD_MAX_CHARS)).check(z.maxLength(BANNED_WORDS_MAX)),
    price_min: z.nullable(priceUsd),
    price_max: z.nullable(priceUsd),
  }),
  replies: { 200: reply },
  errors: ['edit_conflict'],
});
