import { formatPrice } from '@stagedoor/browser/money';
import type { Attachment } from '@stagedoor/contract/media';
import { CircleCheck, LockKeyhole } from 'lucide-react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Picture } from './picture.tsx';

interface PaidCardProps {
  attachment: Attachment;
  onOpen: (() => void) | undefined;
  refresh: () => Promise<void>;
}

/** CSS pixels. */
export const CARD_WIDTH = 280;

/** A product card as the fan sees it before buying. Staff can open the full content. */
export function PaidCard({ attachment, onOpen, refresh }: PaidCardProps) {
  const { title, price, purchased_at, preview_url } = attachment;
  const isBought = purchased_at !== null;
  const name = title ?? t('Untitled');
  return (
    <div className="w-full overflow-hidden rounded-[11px] border border-line bg-surface">
      <div className="relative">
        <Picture
          // Locked and unlocked are two different images, so each gets its own key.
          key={isBought ? 'bought' : 'locked'}
          attachment={isBought ? attachment : { ...attachment, thumbnail_url: preview_url }}
          label={name}
          onOpen={onOpen}
          refresh={refresh}
          className="aspect-4/3 w-full"
        />
        {!isBought && (
          <span className="pointer-events-none absolute inset-0 flex items-center justify-center">
            <span className="flex size-11 items-center justify-center rounded-full bg-[#000a] text-white">
              <LockKeyhole role="img" aria-label={t('Locked')} size={20} strokeWidth={1.75} />
            </span>
          </span>
        )}
      </div>
      <div className="flex items-start gap-3 px-3 py-2 text-control">
        <div className="min-w-0 flex-1">
          <p dir="auto" className="font-medium wrap-anywhere">
            {name}
          </p>
          {isBought && (
            <span
              title={exactTimeOf(purchased_at)}
              className="mt-1 inline-flex items-center gap-1 rounded-chip bg-good-bg px-1.5 text-meta leading-5 font-medium text-good"
            >
              <CircleCheck size={12} strokeWidth={2} />
              {t('Purchased')}
            </span>
          )}
        </div>
        {price !== null && (
          <span className="shrink-0 font-semibold tabular-nums">{formatPrice(price)}</span>
        )}
      </div>
    </div>
  );
}
