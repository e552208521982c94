interface ChartTooltipProps {
  /** The point's center and the chart's width, in pixels. */
  x: number;
  width: number;
  label: string;
  value: string;
}

const GAP_PX = 10;

/** The label and value at the cursor, on the side with enough room. */
export function ChartTooltip({ x, width, label, value }: ChartTooltipProps) {
  const side = x > width / 2 ? `calc(-100% - ${GAP_PX}px)` : `${GAP_PX}px`;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-0 z-10 rounded-control border border-line bg-surface px-2.5 py-1.5 whitespace-nowrap shadow-overlay"
      style={{ left: x, transform: `translateX(${side})` }}
    >
      <span dir="auto" className="block text-badge text-fg-3">
        {label}
      </span>
      <span dir="auto" className="block text-control font-semibold tabular-nums">
        {value}
      </span>
    </div>
  );
}
