import { formatMoney } from '@stagedoor/browser/money';
import type { MessageFigure, StaffFigures } from '@stagedoor/contract/team/shifts';
import { formatCount, lengthText } from '../../lib/text/format.ts';
import { locale, t } from '../../lib/text/i18n.ts';

/** A figure as shown, and the messages to list for it. */
export interface ShownFigure {
  readonly label: string;
  /** Null if there is nothing to calculate the figure from. */
  readonly value: string | null;
  readonly madeOf: MessageFigure;
}

const rate = new Intl.NumberFormat(locale, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const ratio = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** Applies a format to a figure that may be missing. */
const shown = (value: number | null, format: (value: number) => string): string | null =>
  value === null ? null : format(value);

/** Formats a waiting time, in seconds if it is below two minutes. */
export const waitOf = (seconds: number): string =>
  seconds < 120 ? t('{seconds} s', { seconds: Math.round(seconds) }) : lengthText(seconds);

/** Returns an admin's figures in the order in which they are shown. */
export function shownFigures(figures: StaffFigures): ShownFigure[] {
  const { sales, net_sales, offers, unlock_rate, fans_answered, replies } = figures;
  return [
    { label: t('Sales'), value: formatMoney(sales), madeOf: 'sales' },
    { label: t('Net Sales'), value: formatMoney(net_sales), madeOf: 'net_sales' },
    {
      label: t('Sales per Hour'),
      value: shown(figures.sales_per_hour, formatMoney),
      madeOf: 'sales',
    },
    { label: t('Offers'), value: formatCount(offers), madeOf: 'offers' },
    {
      label: t('Unlock Rate'),
      value: shown(unlock_rate, (percent) => rate.format(percent / 100)),
      madeOf: 'unlocked',
    },
    {
      label: t('Messages per Sale'),
      value: shown(figures.messages_per_sale, (messages) => ratio.format(messages)),
      madeOf: 'messages',
    },
    { label: t('Fans Answered'), value: formatCount(fans_answered), madeOf: 'fans_answered' },
    { label: t('Replies'), value: formatCount(replies), madeOf: 'replies' },
    {
      label: t('Median Time to Answer'),
      value: shown(figures.answer_time_p50, waitOf),
      madeOf: 'replies',
    },
    {
      label: t('90% Answered Within'),
      value: shown(figures.answer_time_p90, waitOf),
      madeOf: 'replies',
    },
  ];
}
