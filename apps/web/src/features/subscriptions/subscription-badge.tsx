import type { Subscription } from '@stagedoor/contract/subscriptions';
import { exactTimeOf } from '../../lib/format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { endWords, subscriptionWords } from './subscription-words.ts';

interface SubscriptionProps {
  subscription: Subscription;
}

const toneOf = (endsToday: boolean) => (endsToday ? 'warn' : 'neutral');

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

/** Under a fan's name: how they stand, and until when. */
export function SubscriptionNote({ subscription }: SubscriptionProps) {
  const now = useNow();
  const { text, short, endsToday } = subscriptionWords(subscription, now);
  return (
    <span className="flex shrink-0 items-center gap-1.5">
      <Badge tone={toneOf(endsToday)} title={endOf(subscription)}>
        <span className="@min-[240px]:hidden">{short}</span>
        <span className="@max-[240px]:hidden">{text}</span>
      </Badge>
      <span className="@max-[560px]:sr-only">{endWords(subscription, now)}</span>
    </span>
  );
}

const endOf = ({ ends_at }: Subscription) => (ends_at === null ? undefined : exactTimeOf(ends_at));
