import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { exactTimeOf } from '../../lib/text/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { subscriptionWords } from './subscription-words.ts';

export interface SubscriptionProps {
  subscription: Subscription;
}

/** A fan's subscription in an inbox row. In a narrow list it is shortened to one or two words, to leave room for the preview. */
export function SubscriptionBadge({ subscription }: SubscriptionProps) {
  const { text, short, brief = short, tone } = subscriptionWords(subscription, useNow());
  return (
    <>
      <span className="said sr-only">{text}</span>
      <span aria-hidden="true" className="inline-flex @max-[300px]:hidden">
        <Badge tone={tone} title={[text, endOf(subscription)].filter(Boolean).join(' · ')}>
          <span className="@min-[400px]:hidden">{brief}</span>
          <span className="@max-[400px]:hidden">{text}</span>
        </Badge>
      </span>
    </>
  );
}

/** Returns the exact end time, for a tooltip. */
export const endOf = ({ ends_at }: Subscription) =>
  ends_at === null ? undefined : exactTimeOf(ends_at);
