import { Skeleton } from '../../ui/skeleton.tsx';
import { FIGURES } from '../charts/figures.ts';
import { Tiles } from './tiles.tsx';

/** Placeholders for the charts, with their size. */
export function ActivityPlaceholders() {
  return (
    <div className="grid flex-1 gap-px border-t border-line bg-line @min-[640px]:grid-cols-2">
      {FIGURES.map(({ key }) => (
        <div key={key} className="bg-surface px-4 pt-3 pb-3">
          <Skeleton className="h-4 w-20" />
          <Skeleton className="mt-1 h-5 w-28" />
          <Skeleton className="mt-3.5 h-[152px] w-full" />
        </div>
      ))}
    </div>
  );
}

/** Placeholders for all figures while they load. */
export function AnalyticsPlaceholders() {
  return (
    <>
      <div className="grid gap-4 @min-[960px]:grid-cols-[240px_minmax(0,1fr)]">
        <Tiles overview={null} before={null} />
        <div className="overflow-hidden rounded-card border border-line bg-surface">
          <div className="flex h-12 items-center px-4">
            <Skeleton className="h-4 w-32" />
          </div>
          <ActivityPlaceholders />
        </div>
      </div>
      <TablePlaceholder />
      <TablePlaceholder />
    </>
  );
}

const ROWS = [1, 2, 3, 4] as const;

function TablePlaceholder() {
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-3">
      <Skeleton className="h-4 w-40" />
      {ROWS.map((row) => (
        <div key={row} className="mt-5 flex justify-between gap-4">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-4 w-1/3" />
        </div>
      ))}
    </div>
  );
}
