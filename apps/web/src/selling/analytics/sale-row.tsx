import { formatMoney } from '@stagedoor/browser/money';
import { rich } from '@stagedoor/browser/rich-text';
import type { Sale } from '@stagedoor/contract/selling/analytics';
import type { ReactNode } from 'react';
import { locale, t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { Link } from '../../ui/link.tsx';

const saleTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

interface SaleRowProps {
  sale: Sale;
  onOpen: () => void;
  /** A button next to the link. */
  action?: ReactNode;
}

/** A sale with its fan, product, admin, date and price. It links to the conversation. */
export function SaleRow({ sale, onOpen, action }: SaleRowProps) {
  const fan = sale.fan_name || t('Erased fan');
  const isRefunded = sale.refunded_at !== null;
  return (
    <li
      className={classes(
        'flex items-center gap-2 border-b border-line last:border-b-0',
        action !== undefined && 'pe-2',
      )}
    >
      <Link
        to={`/inbox/${encodeURIComponent(sale.conversation_id)}`}
        onClick={onOpen}
        className="flex min-w-0 flex-1 items-center gap-3 rounded-control px-2 py-2 transition-colors duration-80 hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate text-base text-fg-3">
            {rich('{fan} bought {product}', {
              fan: <bdi className="font-medium text-fg">{fan}</bdi>,
              product: <bdi className="font-medium text-fg">{sale.product_title}</bdi>,
            })}
          </span>
          <span className="block truncate text-meta text-fg-3">
            {rich('{time} · sent by {admin}', {
              time: (
                <time dateTime={sale.purchased_at}>
                  {saleTime.format(Date.parse(sale.purchased_at))}
                </time>
              ),
              admin: <bdi>{sale.admin_codename}</bdi>,
            })}
          </span>
        </span>
        <span className="flex shrink-0 flex-col items-end gap-0.5">
          <span
            className={classes(
              'font-semibold tabular-nums',
              isRefunded && 'text-fg-3 line-through',
            )}
          >
            {formatMoney(sale.amount)}
          </span>
          {isRefunded && <Badge tone="warn">{t('Refunded')}</Badge>}
        </span>
      </Link>
      {action}
    </li>
  );
}
