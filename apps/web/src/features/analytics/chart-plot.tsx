import { curveMonotoneX } from '@visx/curve';
import { Area, Bar, LinePath } from '@visx/shape';
import { memo, useId } from 'react';
import { keptInside, labelledPoints } from './axis.ts';
import type { ChartGeometry } from './chart-geometry.ts';

interface ChartPlotProps {
  geometry: ChartGeometry;
  values: readonly number[];
  labels: readonly string[];
  shape: 'area' | 'bars';
  formatTick: (value: number) => string;
}

/** What a chart shows without a cursor: grid, axes and the figure itself. */
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
      <text x={0} y={y(tick)} dy="0.32em" className="fill-fg-3 text-badge tabular-nums">
        {formatTick(tick)}
      </text>
    </g>
  ));
}

function Times({ geometry, labels }: Pick<ChartPlotProps, 'geometry' | 'labels'>) {
  const { centers, plot, height, width } = geometry;
  return labelledPoints(centers.length, plot.right - plot.left).map((index) => {
    const label = labels[index] ?? '';
    return (
      <text
        key={index}
        x={keptInside(centers[index] ?? 0, label, { left: plot.left, right: width })}
        y={height - 4}
        textAnchor="middle"
        className="fill-fg-3 text-badge"
      >
        {label}
      </text>
    );
  });
}

type ShapeProps = Pick<ChartPlotProps, 'geometry' | 'values'>;

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
      className="fill-accent"
    />
  ));
}

function Flow({ geometry, values }: ShapeProps) {
  const gradient = useId();
  const { centers, y } = geometry;
  const x = (_: number, index: number) => centers[index] ?? 0;
  const [only] = values;
  const data = [...values];
  return (
    <>
      <linearGradient id={gradient} x1="0" x2="0" y1="0" y2="1">
        <stop offset="0%" className="[stop-color:var(--accent)] [stop-opacity:0.22]" />
        <stop offset="100%" className="[stop-color:var(--accent)] [stop-opacity:0]" />
      </linearGradient>
      <Area
        data={data}
        x={x}
        y0={y(0)}
        y1={y}
        curve={curveMonotoneX}
        fill={`url(#${CSS.escape(gradient)})`}
      />
      <LinePath
        data={data}
        x={x}
        y={y}
        curve={curveMonotoneX}
        strokeWidth={1.75}
        strokeLinejoin="round"
        strokeLinecap="round"
        className="stroke-accent"
      />
      {only !== undefined && values.length === 1 && (
        <circle cx={centers[0]} cy={y(only)} r={3.5} className="fill-accent" />
      )}
    </>
  );
}
