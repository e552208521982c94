import type { FanHome } from '@stagedoor/contract/platform/fan-app';
import { dateOf } from '../lib/format.ts';
import { t } from '../lib/i18n.ts';
import { useNow } from '../lib/use-today.ts';
import { Avatar } from '../ui/avatar.tsx';

/** The creator's name and picture, and the fan's subscription. */
export function Header({ home }: { home: FanHome }) {
  const { creator, subscription } = home;
  const line = subscriptionLine(subscription, useNow());
  return (
    <header className="flex shrink-0 items-center gap-3 border-b border-line bg-surface px-4 pt-[calc(env(safe-area-inset-top)+8px)] pb-2 md:px-5">
      <Avatar name={creator.display_name} url={creator.avatar_url} className="size-11 text-title" />
      <div className="min-w-0">
        <h1 className="truncate text-title font-semibold tracking-tight">{creator.display_name}</h1>
        {line !== null && <p className="-mt-0.5 truncate text-meta text-fg-2">{line}</p>}
      </div>
    </header>
  );
}

/** Describes a trial or subscription; null without one or after its end. `now` is in milliseconds. */
export function subscriptionLine(
  subscription: FanHome['subscription'],
  now: number,
): string | null {
  if (subscription === null) return null;
  const { status, ends_at } = subscription;
  if (ends_at !== null && Date.parse(ends_at) <= now) return null;
  const isTrial = status === 'trial';
  if (ends_at === null) return isTrial ? t('Free trial') : t('Subscribed');
  const date = dateOf(ends_at);
  return isTrial ? t('Free trial until {date}', { date }) : t('Subscribed until {date}', { date });
}
