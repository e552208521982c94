import type { NextReason } from '@stagedoor/contract/queue';
import { spanSince } from '../features/queue/words.ts';
import { subscriptionWords } from '../features/subscriptions/subscription-words.ts';

/** Why a conversation is the next one, in a few words each. @param now milliseconds */
export function reasonWords(reason: NextReason, now: number, timeZone?: string): string {
  switch (reason.kind) {
    case 'waiting':
      return `waiting ${spanSince(reason.since, now)}`;
    case 'mine':
      return 'claimed by you';
    case 'ends': {
      const { text } = subscriptionWords(reason, now, timeZone);
      return text.charAt(0).toLowerCase() + text.slice(1);
    }
    case 'bought':
      return `bought ${reason.bought} of ${reason.offered}`;
  }
}
