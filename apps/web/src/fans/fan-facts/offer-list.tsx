import { formatMoney } from '@stagedoor/browser/money';
import type { FanOffer, FanOfferKind } from '@stagedoor/contract/fans/fan-facts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { dateOf } from '../../lib/text/times.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { fanOffersOptions } from './queries.ts';

interface OfferListProps {
  title: string;
  /** The text of an empty list. */
  none: string;
  conversationId: string;
  kind: FanOfferKind;
  /** Shows the message with the offer. */
  onShow: (messageId: string) => void;
}

/** The products that a fan bought or was only offered, newest first, page by page. */
export function OfferList({ title, none, conversationId, kind, onShow }: OfferListProps) {
  const titleId = useId();
  const list = useInfiniteQuery(fanOffersOptions(conversationId, kind));
  const offers = list.data?.pages.flatMap(({ data }) => data);
  return (
    <section aria-labelledby={titleId} className="border-t border-line px-4 py-3">
      <h4 id={titleId} className="mb-1 text-meta font-semibold text-fg-2">
        {title}
      </h4>
      {offers?.length === 0 && <p className="text-control text-fg-3">{none}</p>}
      {offers && offers.length > 0 && (
        <ul className="-mx-2">
          {offers.map((offer) => (
            <li key={offer.attachment_id + (offer.purchased_at ?? '')}>
              <OfferRow offer={offer} onShow={() => onShow(offer.message_id)} />
            </li>
          ))}
        </ul>
      )}
      {!offers && !list.isError && <Skeleton className="h-8 w-full" />}
      {list.isError && !list.isFetching && (
        <ErrorBox
          text={t('Couldn’t load this list')}
          onRetry={() => void (offers ? list.fetchNextPage() : list.refetch())}
        />
      )}
      {list.hasNextPage && !list.isError && (
        <Button
          size="small"
          variant="ghost"
          className="mt-1 -ms-2"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('Show More')}
        </Button>
      )}
    </section>
  );
}

function OfferRow({ offer, onShow }: { offer: FanOffer; onShow: () => void }) {
  const at = offer.purchased_at ?? offer.sent_at;
  const isRefunded = offer.refunded_at !== null;
  return (
    <button
      type="button"
      onClick={onShow}
      className="flex min-h-8 w-full items-baseline gap-2 rounded-chip px-2 py-1.5 text-start text-control transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11"
    >
      <span className="min-w-0 flex-1 truncate">{offer.title}</span>
      {isRefunded && <Badge tone="warn">{t('Refunded')}</Badge>}
      <time dateTime={at} title={exactTimeOf(at)} className="shrink-0 text-meta text-fg-3">
        {dateOf(at)}
      </time>
      <span
        className={classes(
          'shrink-0 font-medium tabular-nums',
          isRefunded && 'text-fg-3 line-through',
        )}
      >
        {formatMoney(offer.price)}
      </span>
      <span className="sr-only">{t('Show Message')}</span>
    </button>
  );
}
