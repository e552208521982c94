import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { endWords } from './end-words.ts';
import { endOf, type SubscriptionProps } from './subscription-badge.tsx';
import { subscriptionWords } from './subscription-words.ts';

/** The subscription under a fan's name, with its end. */
export function SubscriptionNote({ subscription }: SubscriptionProps) {
  const now = useNow();
  const { text, short, tone } = subscriptionWords(subscription, now);
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      <Badge tone={tone} title={endOf(subscription)}>
        <span className="@min-[240px]:hidden">{short}</span>
        <span className="@max-[240px]:hidden">{text}</span>
      </Badge>
      <span className="empty:hidden @max-[560px]:sr-only">{endWords(subscription, now)}</span>
    </span>
  );
}
