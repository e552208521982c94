import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { exactTimeOf } from '../../lib/text/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { subscriptionWords } from './subscription-words.ts';

export interface SubscriptionProps {
  subscription: Subscription;
}

/** Returns the badge's color. */
export const toneOf = (endsToday: boolean) => (endsToday ? 'warn' : 'neutral');

/** A fan's subscription in an inbox row, shortened where the list is narrow. */
export function SubscriptionBadge({ subscription }: SubscriptionProps) {
  const { text, short, endsToday } = subscriptionWords(subscription, useNow());
  return (
    <>
      <span className="said sr-only">{text}</span>
      <span aria-hidden="true" className="inline-flex">
        <Badge tone={toneOf(endsToday)} title={endOf(subscription)}>
          <span className="@min-[400px]:hidden">{short}</span>
          <span className="@max-[400px]:hidden">{text}</span>
        </Badge>
      </span>
    </>
  );
}

/** Returns the exact end time, for a tooltip. */
export const endOf = ({ ends_at }: Subscription) =>
  ends_at === null ? undefined : exactTimeOf(ends_at);
