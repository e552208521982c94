import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../lib/text/i18n.ts';
import { type SortDirection, type SortValue, sortRows } from '../lib/text/sort-rows.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { Tooltip } from './overlay/tooltip.tsx';

export interface Column<Row> {
  key: string;
  label: string;
  /** Explains the label in a tooltip. */
  hint?: string;
  /** The value to sort by; without it the column can't be sorted. Numbers are right-aligned and sort largest first. */
  sortBy?: (row: Row) => SortValue;
  isNumber?: boolean;
  cell: (row: Row) => ReactNode;
  /** Shown below the last row. */
  total?: string;
}

interface Sort {
  key: string;
  direction: SortDirection;
}

interface SortableTableProps<Row> {
  /** The accessible name of the table. */
  label: string;
  /** The first column is the row header and stays in view during horizontal scrolling. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  initialSort: Sort;
  /** The number of rows shown before 'Show all'. */
  firstRows?: number;
  className?: string;
}

const CELL =
  'border-line px-2.5 first:sticky first:start-0 first:z-10 first:ps-4 last:pe-4 @max-[960px]:first:border-e';

/** A table that can be sorted by its columns. It scrolls in its own region, also by keyboard. */
export function SortableTable<Row>(props: SortableTableProps<Row>) {
  const { label, columns, rows, rowKey, initialSort, firstRows = rows.length, className } = props;
  const [sort, setSort] = useState(initialSort);
  const [showsAll, setShowsAll] = useState(false);
  const sortBy = columns.find(({ key }) => key === sort.key)?.sortBy;
  const sorted = sortBy ? sortRows(rows, sortBy, sort.direction) : rows;
  const shown = showsAll ? sorted : sorted.slice(0, firstRows);
  const hasTotals = columns.some(({ total }) => total !== undefined);
  return (
    <>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className={classes('overflow-auto focus-visible:-outline-offset-2', className)}
      >
        <table className="w-full border-separate border-spacing-0 text-control">
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={rowKey(row)} className="group">
                {columns.map((column, index) => (
                  <BodyCell key={column.key} column={column} isRowHeader={index === 0}>
                    {column.cell(row)}
                  </BodyCell>
                ))}
              </tr>
            ))}
          </tbody>
          {hasTotals && (
            <tfoot className="sticky bottom-0 z-20">
              <tr>
                {columns.map((column, index) => (
                  <BodyCell key={column.key} column={column} isRowHeader={index === 0} isTotal>
                    {column.total}
                  </BodyCell>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </section>
      {shown.length < rows.length && (
        <div className="flex justify-center p-2">
          <Button variant="ghost" onClick={() => setShowsAll(true)}>
            {t('Show all {count}', { count: rows.length })}
          </Button>
        </div>
      )}
    </>
  );
}

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const { key, label, hint, sortBy, isNumber = false } = column;
  const direction = sort.key === key ? sort.direction : null;
  const first: SortDirection = isNumber ? 'descending' : 'ascending';
  const other: SortDirection = isNumber ? 'ascending' : 'descending';
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown;
  const button = (
    <button
      type="button"
      onClick={() => onSort({ key, direction: direction === first ? other : first })}
      className={classes(
        'touch-target relative -mx-1.5 inline-flex h-8 items-center rounded-chip px-1.5 transition-colors duration-80 hover:bg-hover hover:text-fg focus-visible:-outline-offset-2',
        direction !== null && 'text-fg',
      )}
    >
      {label}
      {direction !== null && (
        <Arrow
          size={12}
          strokeWidth={2}
          className={classes('absolute', isNumber ? 'end-full -me-1' : 'start-full -ms-1')}
        />
      )}
    </button>
  );
  return (
    <th
      scope="col"
      aria-sort={direction ?? undefined}
      className={classes(
        CELL,
        'sticky top-0 z-10 border-y bg-surface-2 py-0.5 text-meta font-medium whitespace-nowrap text-fg-2 first:z-20',
        isNumber ? 'text-end' : 'text-start',
      )}
    >
      {sortBy === undefined ? (
        <span className="sr-only">{label}</span>
      ) : hint === undefined ? (
        button
      ) : (
        <Tooltip text={hint}>{button}</Tooltip>
      )}
    </th>
  );
}

interface BodyCellProps<Row> {
  column: Column<Row>;
  isRowHeader: boolean;
  isTotal?: boolean;
  children: ReactNode;
}

function BodyCell<Row>(props: BodyCellProps<Row>) {
  const { column, isRowHeader, isTotal = false, children } = props;
  const className = classes(
    CELL,
    'h-10 bg-surface py-1 whitespace-nowrap',
    isTotal
      ? 'border-t font-semibold'
      : 'border-b transition-colors duration-80 group-last:border-b-0 group-hover:bg-surface-2',
    !isTotal && (isRowHeader ? 'font-medium' : 'font-normal'),
    column.isNumber ? 'text-end tabular-nums' : 'text-start',
  );
  if (!isRowHeader) return <td className={className}>{children}</td>;
  return (
    <th scope="row" className={className}>
      {children}
    </th>
  );
}
