import { Area, Bar, LinePath } from '@visx/shape';
import { memo, useId } from 'react';
import { labeledPoints, labelPosition, textWidth } from './axis.ts';
import type { ChartGeometry } from './chart-geometry.ts';

interface ChartPlotProps {
  geometry: ChartGeometry;
  values: readonly number[];
  labels: readonly string[];
  shape: 'area' | 'bars';
  formatTick: (value: number) => string;
}

/** The static part of a chart: grid, axes and shape. */
export const ChartPlot = memo(function ChartPlot(props: ChartPlotProps) {
  const { geometry, values, labels, shape, formatTick } = props;
  return (
    <>
      <Values geometry={geometry} formatTick={formatTick} />
      {shape === 'bars' ? (
        <Bars geometry={geometry} values={values} />
      ) : (
        <Flow geometry={geometry} values={values} />
      )}
      <Times geometry={geometry} labels={labels} />
    </>
  );
});

function Values({ geometry, formatTick }: Pick<ChartPlotProps, 'geometry' | 'formatTick'>) {
  const { plot, y, ticks } = geometry;
  return ticks.map((tick) => (
    <g key={tick}>
      <line x1={plot.left} x2={plot.right} y1={y(tick)} y2={y(tick)} className="stroke-line" />
      <text
        x={0}
        y={y(tick)}
        dy="0.32em"
        className="fill-fg-3 text-badge tabular-nums [unicode-bidi:plaintext]"
      >
        {formatTick(tick)}
      </text>
    </g>
  ));
}

function Times({ geometry, labels }: Pick<ChartPlotProps, 'geometry' | 'labels'>) {
  const { centers, plot, height } = geometry;
  const widest = Math.max(0, ...labels.map(textWidth));
  return labeledPoints(centers.length, plot.right - plot.left, widest).map((index) => {
    const label = labels[index] ?? '';
    return (
      <text
        key={index}
        {...labelPosition(centers[index] ?? 0, label, plot)}
        y={height - 4}
        className="fill-fg-3 text-badge [unicode-bidi:plaintext]"
      >
        {label}
      </text>
    );
  });
}

type ShapeProps = Pick<ChartPlotProps, 'geometry' | 'values'>;

/** A bar for each value. The last one is paler, because its period is not over. */
function Bars({ geometry, values }: ShapeProps) {
  const { centers, barWidth, y } = geometry;
  const rounding = Math.min(3, barWidth / 3);
  return values.map((value, index) => (
    <Bar
      key={centers[index]}
      x={(centers[index] ?? 0) - barWidth / 2}
      y={Math.min(y(value), y(0))}
      width={barWidth}
      height={Math.abs(y(value) - y(0))}
      rx={rounding}
      className={index === values.length - 1 ? 'fill-accent opacity-60' : 'fill-accent'}
    />
  ));
}

const STROKE = {
  strokeWidth: 1.75,
  strokeLinejoin: 'round',
  strokeLinecap: 'round',
  className: 'stroke-accent',
} as const;

/** An area chart. The line to the last point is dotted, because its period is not over. */
function Flow({ geometry, values }: ShapeProps) {
  const gradient = useId();
  const { centers, y } = geometry;
  const spots = values.map((value, index) => ({ x: centers[index] ?? 0, y: y(value) }));
  const [only] = spots;
  const at = { x: (spot: Spot) => spot.x, y: (spot: Spot) => spot.y };
  return (
    <>
      <linearGradient id={gradient} x1="0" x2="0" y1="0" y2="1">
        <stop offset="0%" className="[stop-color:var(--accent)] [stop-opacity:0.22]" />
        <stop offset="100%" className="[stop-color:var(--accent)] [stop-opacity:0]" />
      </linearGradient>
      <Area data={spots} x={at.x} y1={at.y} y0={y(0)} fill={`url(#${CSS.escape(gradient)})`} />
      <LinePath data={spots.slice(0, -1)} {...at} {...STROKE} />
      <LinePath data={spots.slice(-2)} {...at} {...STROKE} strokeDasharray="1 4" />
      {only && spots.length === 1 && (
        <circle cx={only.x} cy={only.y} r={3.5} className="fill-accent" />
      )}
    </>
  );
}

interface Spot {
  x: number;
  y: number;
}
