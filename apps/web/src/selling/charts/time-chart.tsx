import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
} from 'react';
import { t } from '../../lib/text/i18n.ts';
import { movedBy, nearestPoint } from './axis.ts';
import { ChartCursor } from './chart-cursor.tsx';
import { chartGeometry } from './chart-geometry.ts';
import { ChartPlot } from './chart-plot.tsx';
import { ChartTooltip } from './chart-tooltip.tsx';
import { type Figure, summaryOf, totalOf } from './figures.ts';
import type { Point, Step } from './points.ts';
import { useWidth } from './use-width.ts';

const HEIGHT_PX = 152;

/** The accessible name of a chart, with a hint on the arrow keys. */
const NAMES: Readonly<Record<Step, (figure: string) => string>> = {
  day: (figure) => t('{figure} by day. Use the arrow keys to read each day', { figure }),
  week: (figure) => t('{figure} by week. Use the arrow keys to read each week', { figure }),
  month: (figure) => t('{figure} by month. Use the arrow keys to read each month', { figure }),
};

/** The selected point, its chart, and the input that moves it. */
export interface Cursor {
  index: number;
  figure: Figure['key'];
  by: 'mouse' | 'touch' | 'keys';
}

interface TimeChartProps {
  figure: Figure;
  points: readonly Point[];
  step: Step;
  /** How the total changed from the previous period. */
  change: ReactNode;
  /** Shared by all charts, so that they show the same day, week or month. */
  cursor: Cursor | null;
  onCursor: (cursor: Cursor | null) => void;
}

/** A figure over time. Single points can be read with the mouse, by touch or with arrow keys. */
export function TimeChart(props: TimeChartProps) {
  const { figure, points, step, change, cursor, onCursor } = props;
  const { key, label, shape, isMoney, format, formatShort } = figure;
  const titleId = useId();
  const summaryId = useId();
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const values = useMemo(() => points.map((point) => point[key]), [points, key]);
  const labels = useMemo(() => points.map((point) => point.shortLabel), [points]);
  const geometry = useMemo(
    () =>
      chartGeometry({
        values,
        shape,
        width,
        height: HEIGHT_PX,
        isWhole: !isMoney,
        formatTick: formatShort,
      }),
    [values, shape, width, isMoney, formatShort],
  );
  const current = cursor ? points[cursor.index] : undefined;
  const isOurs = cursor?.figure === key;
  // The chart under the cursor shows the value in a tooltip. All other charts show their value in place of the total.
  const shown = isOurs ? undefined : current;
  useTapElsewhere(box, isOurs && cursor.by === 'touch', () => onCursor(null));

  const moveTo = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const index = nearestPoint(geometry.centers, x);
    const by = event.pointerType === 'mouse' ? 'mouse' : 'touch';
    if (index !== null) onCursor({ index, figure: key, by });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || points.length === 0) return;
    if (event.key === 'Escape' && cursor) {
      event.preventDefault();
      return onCursor(null);
    }
    // Without a cursor, the first key press starts from the newest point.
    const from = current && cursor ? cursor.index : points.length;
    const index = movedBy(event.key, from, points.length);
    if (index === null) return;
    event.preventDefault();
    onCursor({ index, figure: key, by: 'keys' });
  };
  const total = totalOf(points, figure);
  return (
    <figure
      aria-labelledby={titleId}
      className="m-0 flex min-w-0 flex-col bg-surface px-4 pt-3 pb-3"
    >
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="min-w-0">
          <span id={titleId} className="block text-meta text-fg-2">
            {label}
          </span>
          <span className="block text-title font-semibold tracking-tight tabular-nums">
            {format(shown ? shown[key] : total)}
          </span>
        </span>
        {shown ? (
          <span aria-hidden="true" className="truncate text-meta text-fg-3 tabular-nums">
            {shown.label}
          </span>
        ) : (
          <span className="text-end text-badge">{change}</span>
        )}
      </figcaption>
      <p id={summaryId} className="sr-only">
        {summaryOf(points, figure)}
      </p>
      <div
        ref={box}
        dir="ltr"
        role="application"
        aria-roledescription={t('chart')}
        aria-label={NAMES[step](label)}
        aria-describedby={summaryId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys need the focus
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => isOurs && cursor.by === 'keys' && onCursor(null)}
        onPointerDown={moveTo}
        onPointerMove={moveTo}
        onPointerLeave={(event) => event.pointerType === 'mouse' && onCursor(null)}
        className="relative mt-2.5 cursor-crosshair touch-pan-y rounded-[2px] select-none focus-visible:outline-offset-4"
        style={{ height: HEIGHT_PX }}
      >
        {width > 0 && (
          <svg
            aria-hidden="true"
            width={width}
            height={HEIGHT_PX}
            className="absolute inset-0 block overflow-visible"
          >
            <ChartPlot
              geometry={geometry}
              values={values}
              labels={labels}
              shape={shape}
              formatTick={formatShort}
            />
            {cursor && current && (
              <ChartCursor
                geometry={geometry}
                index={cursor.index}
                value={current[key]}
                shape={shape}
              />
            )}
          </svg>
        )}
        {isOurs && current && (
          <ChartTooltip
            x={geometry.centers[cursor.index] ?? 0}
            width={width}
            label={current.label}
            value={format(current[key])}
          />
        )}
        {total === 0 && (
          <p dir="auto" className="absolute inset-x-0 top-1/3 text-center text-meta text-fg-3">
            <span className="rounded-chip bg-surface px-2 py-0.5">{figure.emptyText}</span>
          </p>
        )}
      </div>
      <p aria-live="polite" className="sr-only">
        {isOurs && current && cursor.by === 'keys' && `${current.label}: ${format(current[key])}`}
      </p>
    </figure>
  );
}

/** Calls `onTap` when a touch starts outside the element. */
function useTapElsewhere(
  box: React.RefObject<HTMLElement | null>,
  isWatching: boolean,
  onTap: () => void,
): void {
  const tapped = useEffectEvent(onTap);
  useEffect(() => {
    if (!isWatching) return;
    const onDown = (event: globalThis.PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) tapped();
    };
    document.addEventListener('pointerdown', onDown);
    return () => document.removeEventListener('pointerdown', onDown);
  }, [box, isWatching]);
}
