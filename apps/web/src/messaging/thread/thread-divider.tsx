import { dayLabel } from '@stagedoor/browser/day-label';
import { formatPrice } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import type { ThreadTip } from '@stagedoor/contract/selling/tips';
import { HandCoins, LockOpen, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { clockTime } from '../../lib/text/times.ts';
import { useToday } from '../../lib/use-now.ts';
import { useOpenConversation } from '../messages/open-conversation.ts';
import type { Purchase, ThreadRow } from '../messages/thread-rows.ts';

/** A divider in the thread: the day, a purchase, a tip, or the start of the unread messages. */
export function Divider({
  row,
}: {
  row: Extract<ThreadRow, { kind: 'day' | 'new' | 'purchase' | 'tip' }>;
}) {
  const today = useToday();
  if (row.kind === 'day') {
    return (
      <div className="flex justify-center pt-4 pb-1 compact:pt-2 compact:pb-0">
        <span className="rounded-full bg-surface-2 px-2.5 py-0.5 text-meta font-medium text-fg-2">
          {dayLabel(row.at, today)}
        </span>
      </div>
    );
  }
  if (row.kind === 'purchase') return <PurchaseEvent purchase={row.purchase} />;
  if (row.kind === 'tip') return <TipEvent tip={row.tip} />;
  return (
    <div className="flex items-center gap-3 px-4 pt-4 pb-1 text-meta font-semibold text-accent-text">
      <span className="h-px flex-1 bg-accent/35" />
      {t('New')}
      <span className="h-px flex-1 bg-accent/35" />
    </div>
  );
}

function PurchaseEvent({ purchase: { title, price, at } }: { purchase: Purchase }) {
  const name = title ?? t('Untitled');
  return (
    <EventLine icon={LockOpen} at={at}>
      {price === null
        ? t('Unlocked {title}', { title: name })
        : t('Unlocked {title} · {price}', { title: name, price: formatPrice(price) })}
    </EventLine>
  );
}

function TipEvent({ tip: { amount, message, tipped_at } }: { tip: ThreadTip }) {
  const { fanName: name } = useOpenConversation();
  // Isolates the amount, because its direction may differ from the text's.
  const cost = <bdi>{formatPrice(amount)}</bdi>;
  return (
    <EventLine icon={HandCoins} at={tipped_at}>
      {message === null
        ? rich('{name} tipped {amount}', { amount: cost }, { name })
        : rich(
            '{name} tipped {amount} · “{message}”',
            { amount: cost, message: <bdi>{message}</bdi> },
            { name },
          )}
    </EventLine>
  );
}

interface EventLineProps {
  icon: LucideIcon;
  at: string;
  children: ReactNode;
}

function EventLine({ icon: Icon, at, children }: EventLineProps) {
  return (
    <p
      title={exactTimeOf(at)}
      className="flex items-start justify-center gap-1.5 px-4 pt-3 pb-1 text-meta text-fg-2"
    >
      <Icon size={14} className="mt-px text-good" />
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {children}
      </span>
      <time dateTime={at} className="shrink-0 text-fg-3 tabular-nums">
        {clockTime(at)}
      </time>
    </p>
  );
}
