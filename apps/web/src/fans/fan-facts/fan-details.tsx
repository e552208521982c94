import { formatMoney } from '@stagedoor/browser/money';
import type { FanFacts, FanOffer, FanOfferKind } from '@stagedoor/contract/fans/fan-facts';
import type { Conversation } from '@stagedoor/contract/inbox/conversations';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { exactTimeOf, formatCount, relativeTime } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { dateOf } from '../../lib/text/times.ts';
import { useNow } from '../../lib/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { ErrorBox } from '../../ui/error-box.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { CenteredSpinner } from '../../ui/spinner.tsx';
import { FanLanguages } from './fan-languages.tsx';
import { fanFactsOptions, fanOffersOptions } from './queries.ts';

interface FanDetailsProps {
  conversation: Conversation;
  /** The fan's subscription, or null. */
  standing: ReactNode;
  /** The fan's local time; null if unknown. */
  clock: ReactNode;
  onShowMessage: (messageId: string) => void;
  /** Called when the admin claims a purchase as their sale. */
  onClaim: (offer: FanOffer) => void;
}

/** The facts about a fan: purchases, spending, subscription, and message counts. */
export function FanDetails({
  conversation,
  standing,
  clock,
  onShowMessage,
  onClaim,
}: FanDetailsProps) {
  const { id } = conversation;
  const facts = useQuery(fanFactsOptions(id));
  if (facts.data) {
    return (
      <div className="min-h-0 flex-1 overflow-y-auto pb-[env(safe-area-inset-bottom)]">
        <Facts
          facts={facts.data}
          standing={standing}
          clock={clock}
          languages={
            <FanLanguages key={id} conversation={conversation} stored={facts.data.languages} />
          }
        />
        <OfferList
          title={t('Bought')}
          none={t('No purchases yet')}
          conversationId={id}
          kind="bought"
          onShow={onShowMessage}
          onClaim={onClaim}
        />
        <OfferList
          title={t('Offered, not bought')}
          none={t('No open offers')}
          conversationId={id}
          kind="open"
          onShow={onShowMessage}
        />
      </div>
    );
  }
  if (facts.isError) {
    return (
      <div className="p-4">
        <ErrorBox text={t('Couldn’t load the fan details')} onRetry={() => void facts.refetch()} />
      </div>
    );
  }
  return <CenteredSpinner text={t('Loading...')} />;
}

interface FactsProps extends Pick<FanDetailsProps, 'standing' | 'clock'> {
  facts: FanFacts;
  languages: ReactNode;
}

function Facts({ facts, standing, clock, languages }: FactsProps) {
  const { last_purchase: last, average_paid: average } = facts;
  return (
    <dl className="flex flex-col gap-2 p-4">
      <Fact label={t('Spent')}>
        <span className="text-message font-semibold tabular-nums">{formatMoney(facts.spent)}</span>
        {facts.tipped > 0 && (
          <span className="text-fg-3">
            {' '}
            · {t('{amount} in tips', { amount: formatMoney(facts.tipped) })}
          </span>
        )}
      </Fact>
      <Fact label={t('Purchases')}>
        {formatCount(facts.purchases)}
        {average !== null && (
          <span className="text-fg-3">
            {' '}
            · {t('{amount} on average', { amount: formatMoney(average) })}
          </span>
        )}
      </Fact>
      <Fact label={t('Last purchase')}>
        {last === null ? (
          <Nothing text={t('No purchases yet')} />
        ) : (
          <>
            {last.title} <span className="text-fg-3">· {formatMoney(last.amount)} · </span>
            <When at={last.purchased_at} />
          </>
        )}
      </Fact>
      <Fact label={t('Subscription')}>{standing ?? <Nothing text={t('No subscription')} />}</Fact>
      <Fact label={t('Local time')}>{clock ?? <Nothing text={t('Unknown')} />}</Fact>
      <Fact label={t('Languages')}>{languages}</Fact>
      <Fact label={t('First seen')}>
        <When at={facts.first_seen_at} isDay />
      </Fact>
      <Fact label={t('Messages')}>
        {t('{count} from the fan', { count: formatCount(facts.messages_from_fan) })}{' '}
        <span className="text-fg-3">
          · {t('{count} from the creator', { count: formatCount(facts.messages_from_creator) })}
        </span>
      </Fact>
      <Fact label={t('Fan wrote')}>
        <When at={facts.fan_wrote_at} />
      </Fact>
      <Fact label={t('Creator wrote')}>
        <When at={facts.creator_wrote_at} />
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-3">
      <dt className="w-26 shrink-0 text-meta font-medium text-fg-3">{label}</dt>
      <dd className="min-w-0 flex-1 text-control wrap-anywhere">{children}</dd>
    </div>
  );
}

const Nothing = ({ text }: { text: string }) => <span className="text-fg-3">{text}</span>;

/** A short relative date, with the exact time in its tooltip. */
function When({ at, isDay = false }: { at: string | null; isDay?: boolean }) {
  const now = useNow();
  if (at === null) return <Nothing text={t('Never')} />;
  return (
    <time dateTime={at} title={exactTimeOf(at)} className="whitespace-nowrap">
      {isDay ? dateOf(at) : relativeTime(at, now)}
    </time>
  );
}

interface OfferListProps {
  title: string;
  none: string;
  conversationId: string;
  kind: FanOfferKind;
  onShow: (messageId: string) => void;
  onClaim?: (offer: FanOffer) => void;
}

/** The products that a fan bought or was only offered, newest first, page by page. */
function OfferList({ title, none, conversationId, kind, onShow, onClaim }: OfferListProps) {
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
            <li
              key={offer.attachment_id + (offer.purchased_at ?? '')}
              className="flex items-center"
            >
              <OfferRow offer={offer} onShow={() => onShow(offer.message_id)} />
              {onClaim && offer.purchase_id && offer.refunded_at === null && (
                <IconButton
                  label={t('Claim This Sale')}
                  icon={<HandCoins size={14} />}
                  onClick={() => onClaim(offer)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {!offers && !list.isError && <Skeleton className="h-8 w-full" />}
      {list.isError && !list.isFetchNextPageError && !list.isFetching && (
        <ErrorBox text={t('Couldn’t load this list')} onRetry={() => void list.refetch()} />
      )}
      <MorePages query={list} loaded={offers?.length ?? 0} className="mt-1" />
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
      className="flex min-h-8 min-w-0 flex-1 items-baseline gap-2 rounded-chip px-2 py-1.5 text-start text-control transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2 coarse:min-h-11 coarse:items-center"
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
