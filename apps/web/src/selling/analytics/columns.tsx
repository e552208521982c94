import { formatMoney } from '@stagedoor/browser/money';
import { formatCount } from '../../lib/text/format.ts';
import { t } from '../../lib/text/i18n.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/sortable-table.tsx';
import { conversionTone, formatRate } from '../charts/format.ts';

/** A column heading; `hint` explains it. */
interface Heading {
  key: string;
  label: string;
  hint?: string;
}

/** Returns a function that creates columns of numbers in a format. If `totaled` is given, its rows are summed for the total. */
const numberColumn =
  (format: (value: number) => string) =>
  <R,>(
    heading: Heading,
    value: (row: R) => number,
    totaled: readonly R[] | null = null,
  ): Column<R> => ({
    ...heading,
    isNumber: true,
    sortBy: value,
    cell: (row) => format(value(row)),
    ...(totaled && { total: format(totaled.reduce((sum, row) => sum + value(row), 0)) }),
  });

export const countColumn = numberColumn(formatCount);
/** Creates a column of amounts in USD. */
export const moneyColumn = numberColumn(formatMoney);

/** Returns a column with the share of sent products that was bought. */
export const conversionColumn = <R extends { conversion_rate: number }>(
  hint: string,
): Column<R> => ({
  key: 'conversion',
  label: t('Conversion'),
  hint,
  isNumber: true,
  sortBy: (row) => row.conversion_rate,
  cell: ({ conversion_rate: rate }) => (
    <Badge tone={conversionTone(rate)}>{formatRate(rate)}</Badge>
  ),
});

/** Returns a column with a link from each row to its sales. */
export const salesColumn = <R,>(
  nameOf: (row: R) => string,
  onViewSales: (row: R) => void,
): Column<R> => ({
  key: 'sales',
  label: t('Sales'),
  isNumber: true,
  cell: (row) => (
    <Button
      variant="ghost"
      size="small"
      aria-label={t('View Sales of {name}', { name: nameOf(row) })}
      onClick={() => onViewSales(row)}
      className="text-accent-text!"
    >
      {t('View Sales')}
    </Button>
  ),
});
