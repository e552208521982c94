import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { exactTimeOf } from '../../lib/text/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { subscriptionWords } from './subscription-words.ts';

export interface SubscriptionProps {
  subscription: Subscription;
}

/** A fan's subscription in an inbox row; only a dot where the list is narrow, which leaves the preview its room. */
export function SubscriptionBadge({ subscription }: SubscriptionProps) {
  const { text, tone } = subscriptionWords(subscription, useNow());
  return (
    <>
      <span className="said sr-only">{text}</span>
      <span aria-hidden="true" className="inline-flex">
        <Badge tone={tone} title={[text, endOf(subscription)].filter(Boolean).join(' · ')}>
          <span className="my-[5px] size-1.5 rounded-full bg-current @min-[400px]:hidden" />
          <span className="@max-[400px]:hidden">{text}</span>
        </Badge>
      </span>
    </>
  );
}

/** Returns the exact end time, for a tooltip. */
export const endOf = ({ ends_at }: Subscription) =>
  ends_at === null ? undefined : exactTimeOf(ends_at);
