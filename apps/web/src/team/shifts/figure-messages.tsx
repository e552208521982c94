import { formatMoney } from '@stagedoor/browser/money';
import type { FigureMessage } from '@stagedoor/contract/team/shifts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import type { ComponentProps } from 'react';
import { exactTimeOf } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { MorePages } from '../../ui/more-pages.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { waitOf } from './figure-words.ts';
import { figureMessagesOptions } from './queries.ts';

interface FigureMessagesProps {
  query: Parameters<typeof figureMessagesOptions>[0];
  /** Called when a message is opened in its conversation. */
  onOpen: () => void;
}

/** The messages behind a figure, each linked to its conversation. */
export function FigureMessages({ query, onOpen }: FigureMessagesProps) {
  const found = useInfiniteQuery(figureMessagesOptions(query));
  const rows = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      {found.isPending && <LoadingLine text={t('Loading messages...')} />}
      {found.isError && !found.isFetchNextPageError && (
        <div className="pt-3">
          <QueryError query={found} text={t('Couldn’t load the messages')} />
        </div>
      )}
      {found.isSuccess && rows.length === 0 && (
        <EmptyState icon={<MessagesSquare size={22} />} title={t('No messages in this time')} />
      )}
      {rows.length > 0 && (
        <ul aria-label={t('Messages')} className="divide-y divide-line pt-1">
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message counts once for each of its offers
            <li key={`${row.message_id} ${index}`}>
              <Row row={row} onClick={onOpen} />
            </li>
          ))}
        </ul>
      )}
      <MorePages query={found} loaded={rows.length} className="mt-3" />
    </>
  );
}

function Row({ row, onClick }: { row: FigureMessage } & Pick<ComponentProps<'a'>, 'onClick'>) {
  const { at, message, offer, refunded_at: refunded, waited_seconds: waited } = row;
  const content = (
    <>
      <span className="flex justify-between gap-3">
        <span className="truncate font-medium">{message?.fan_name ?? t('Erased fan')}</span>
        {offer && <span className="shrink-0 tabular-nums">{formatMoney(offer.price)}</span>}
      </span>
      <span className="block truncate text-control text-fg-2">
        {offer?.title ?? message?.content ?? t('This message was deleted')}
      </span>
      <span className="flex flex-wrap gap-x-3 text-meta text-fg-3">
        <span>{exactTimeOf(at)}</span>
        {waited !== null && <span>{t('after {time}', { time: waitOf(waited) })}</span>}
        {refunded !== null && <span className="text-danger-text">{t('Refunded')}</span>}
      </span>
    </>
  );
  if (message === null) return <div className="py-2">{content}</div>;
  return (
    <Link
      to={`/inbox/${row.conversation_id}?message=${row.message_id}`}
      onClick={onClick}
      className="-mx-2 block rounded-chip px-2 py-2 hover:bg-hover"
    >
      {content}
    </Link>
  );
}
