import type { NextReason } from '@stagedoor/contract/inbox/queue';
import { subscriptionWords } from '../../fans/subscriptions/subscription-words.ts';
import { spanSince } from '../../inbox/queue/words.ts';
import { language, t } from '../../lib/text/i18n.ts';

/** Returns a short text that says why a conversation is the next to answer. @param now milliseconds */
export function reasonWords(reason: NextReason, now: number, timeZone?: string): string {
  switch (reason.kind) {
    case 'waiting':
      return t('waiting {span}', { span: spanSince(reason.since, now) });
    case 'mine':
      return t('claimed by you');
    case 'ends': {
      const { text } = subscriptionWords(reason, now, timeZone);
      // German nouns stay capitalized.
      return language === 'de' ? text : text.charAt(0).toLowerCase() + text.slice(1);
    }
    case 'bought':
      return t('bought {bought} of {offered}', {
        bought: reason.bought,
        offered: reason.offered,
      });
  }
}
