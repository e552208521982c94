import type { Delivery, DeliveryState } from '@stagedoor/contract/platform/webhooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Webhook as WebhookIcon } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { isRateLimited } from '../../lib/server/api.ts';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { Card } from '../../ui/card.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Segments } from '../../ui/form/segments.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useRecheck } from '../keys/use-recheck.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { STATES, StateMark } from './delivery-state.tsx';
import { deliveriesOptions } from './webhook-queries.ts';
import { answerInWords, timeInWords, triesInWords } from './words.ts';

type Filter = DeliveryState | 'all';

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: 'all', label: t('All', 'deliveries') },
  ...(Object.keys(STATES) as DeliveryState[]).map((value) => ({
    value,
    label: STATES[value].label,
  })),
];

/** The webhook deliveries, newest first. Clicking a delivery opens its details. */
export function DeliveriesCard() {
  const [filter, setFilter] = useState<Filter>('all');
  const [opened, setOpened] = useState<Delivery | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const deliveries = useInfiniteQuery(deliveriesOptions(filter === 'all' ? null : filter));
  const { data: rows, error, isFetching, isPlaceholderData } = deliveries;
  useRecheck(error);
  const isLate = error !== null && !(rows && isRateLimited(error));
  const close = () => {
    setOpened(null);
    // The row may have left the list, which loses the focus.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
    });
  };
  return (
    <Card
      title={t('Recent Deliveries')}
      aside={
        <Segments label={t('State')} options={FILTERS} current={filter} onChange={setFilter} />
      }
      className="overflow-clip"
    >
      {isLate && (
        <div className="px-4 pb-4">
          <QueryError query={deliveries} text={t('Couldn’t load deliveries')} />
        </div>
      )}
      {rows && rows.length > 0 && (
        <>
          <div
            aria-hidden="true"
            className={classes(
              COLUMNS,
              'h-8 items-center border-y border-line bg-surface-2 px-4 text-meta font-medium text-fg-2 max-md:hidden',
            )}
          >
            <span>{t('Event')}</span>
            <span>{t('State')}</span>
            <span>{t('When')}</span>
            <span>{t('Attempts')}</span>
            <span>{t('Last response')}</span>
          </div>
          <ul
            ref={list}
            tabIndex={-1}
            aria-label={t('Recent Deliveries')}
            aria-busy={isPlaceholderData}
            className={classes(
              'outline-none max-md:border-t max-md:border-line',
              isPlaceholderData && 'opacity-90',
            )}
          >
            {rows.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} onOpen={setOpened} />
            ))}
          </ul>
        </>
      )}
      {rows?.length === 0 && (
        <div className="border-t border-line">
          <EmptyState
            icon={<WebhookIcon size={22} />}
            title={filter === 'all' ? t('No deliveries yet') : t('No deliveries in this state')}
            text={
              filter === 'all'
                ? t('Events sent to the platform appear here for a few days.')
                : undefined
            }
          />
        </div>
      )}
      {isFetching && (rows === undefined || deliveries.isFetchingNextPage) && (
        <p
          role="status"
          className="flex items-center justify-center gap-2 border-t border-line p-4 text-meta text-fg-3"
        >
          <Spinner /> {t('Loading deliveries...')}
        </p>
      )}
      <MoreButton query={deliveries} />
      {opened && <DeliveryDialog delivery={opened} onClose={close} />}
    </Card>
  );
}

const COLUMNS = 'grid md:grid-cols-[minmax(0,170px)_110px_130px_90px_minmax(0,1fr)] gap-x-4';

interface DeliveryRowProps {
  delivery: Delivery;
  onOpen: (delivery: Delivery) => void;
}

/** A delivery in one line, or two on a phone. Clicking it opens the details. */
const DeliveryRow = memo(function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const now = useNow();
  const { type, state, created_at, attempts, last_attempt: last } = delivery;
  const answer = last === null ? null : answerInWords(last);
  return (
    <li className="border-b border-line last:border-b-0">
      <button
        type="button"
        data-delivery={delivery.id}
        aria-haspopup="dialog"
        onClick={() => onOpen(delivery)}
        className={classes(
          COLUMNS,
          'min-h-10 w-full items-center gap-y-0.5 px-4 py-2 text-start text-control transition-colors duration-80 hover:bg-bg focus-visible:-outline-offset-2',
          'max-md:grid-cols-[minmax(0,1fr)_auto]',
        )}
      >
        <span className="said truncate font-mono text-meta text-fg">{type}</span>
        <span className="said max-md:justify-self-end">
          <StateMark state={state} />
        </span>
        <time
          dateTime={created_at}
          title={exactTimeOf(created_at)}
          className="said text-meta text-fg-2 tabular-nums"
        >
          {timeInWords(created_at, now)}
        </time>
        <span className="said text-meta text-fg-2 tabular-nums max-md:justify-self-end">
          {triesInWords(attempts)}
        </span>
        {answer !== null && (
          <span
            title={last?.answer}
            className={classes(
              'truncate text-meta tabular-nums max-md:col-span-2',
              state === 'delivered' ? 'text-fg-2' : 'text-danger-text',
            )}
          >
            {answer}
          </span>
        )}
      </button>
    </li>
  );
});
