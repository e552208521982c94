import { type ReactNode, useState } from 'react';
import { FIGURES, type Figure } from './figures.ts';
import type { Point, Step } from './points.ts';
import { type Cursor, TimeChart } from './time-chart.tsx';

interface ChartsProps {
  points: readonly Point[];
  step: Step;
  /** Returns how a figure changed from the previous period; null if there is no previous period. */
  changeOf: ((figure: Figure['key']) => ReactNode) | null;
}

/** The charts of all figures, with a shared cursor. */
export function Charts({ points, step, changeOf }: ChartsProps) {
  const [cursor, setCursor] = useState<Cursor | null>(null);
  return (
    <div className="grid flex-1 gap-px border-t border-line bg-line @min-[640px]:grid-cols-2">
      {FIGURES.map((figure) => (
        <TimeChart
          key={figure.key}
          figure={figure}
          points={points}
          step={step}
          change={changeOf?.(figure.key)}
          cursor={cursor}
          onCursor={setCursor}
        />
      ))}
    </div>
  );
}
