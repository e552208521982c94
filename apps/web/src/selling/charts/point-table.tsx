import { t } from '../../lib/text/i18n.ts';
import { type Column, SortableTable } from '../../ui/sortable-table.tsx';
import { FIGURES, totalOf } from './figures.ts';
import { ACTIVITY_BY, type Point, type Step } from './points.ts';

const STEP_LABELS: Readonly<Record<Step, string>> = {
  day: t('Day'),
  week: t('Week'),
  month: t('Month'),
};

interface PointTableProps {
  points: readonly Point[];
  step: Step;
}

/** The charts' values as a table, newest first. */
export function PointTable({ points, step }: PointTableProps) {
  const columns: Column<Point>[] = [
    {
      key: 'date',
      label: STEP_LABELS[step],
      sortBy: (point) => point.date,
      cell: (point) => point.label,
      total: t('Total'),
    },
    ...FIGURES.map(
      (figure): Column<Point> => ({
        key: figure.key,
        label: figure.label,
        isNumber: true,
        sortBy: (point) => point[figure.key],
        cell: (point) => figure.format(point[figure.key]),
        total: figure.format(totalOf(points, figure)),
      }),
    ),
  ];
  return (
    <SortableTable
      label={ACTIVITY_BY[step]}
      columns={columns}
      rows={points}
      rowKey={(point) => point.date}
      initialSort={{ key: 'date', direction: 'descending' }}
      className="max-h-110"
    />
  );
}
