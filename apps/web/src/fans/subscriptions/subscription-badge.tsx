import type { Subscription } from '@stagedoor/contract/fans/subscriptions';
import { exactTimeOf } from '../../lib/text/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { subscriptionWords } from './subscription-words.ts';

/** Whose standing is shown. */
export interface SubscriptionProps {
  subscription: Subscription;
}

/** The colour of its badge. */
export const toneOf = (endsToday: boolean) => (endsToday ? 'warn' : 'neutral');

/** In a row of the inbox: how the fan stands, in short where the list is narrow. */
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

/** The exact time at which it ends, for a tooltip. */
export const endOf = ({ ends_at }: Subscription) =>
  ends_at === null ? undefined : exactTimeOf(ends_at);
