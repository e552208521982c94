import type { ChartGeometry } from './chart-geometry.ts';

interface ChartCursorProps {
  geometry: ChartGeometry;
  index: number;
  value: number;
  shape: 'area' | 'bars';
}

/** The vertical line at the selected point, with a dot on an area chart. */
export function ChartCursor({ geometry, index, value, shape }: ChartCursorProps) {
  const { centers, plot, y } = geometry;
  const x = centers[index];
  if (x === undefined) return null;
  return (
    <>
      <line
        x1={x}
        x2={x}
        y1={plot.top - 4}
        y2={plot.bottom}
        className="stroke-[var(--control-border)]"
      />
      <circle
        cx={x}
        cy={y(value)}
        r={shape === 'bars' ? 3.5 : 4.5}
        strokeWidth={2}
        className="fill-accent stroke-surface"
      />
    </>
  );
}
