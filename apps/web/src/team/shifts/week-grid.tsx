import type { Shift } from '@stagedoor/contract/team/shifts';
import {
  type CSSProperties,
  type MouseEvent,
  useCallback,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useRef,
} from 'react';
import { t } from '../../lib/text/i18n.ts';
import { fromLocal, toLocal } from '../../lib/text/zoned-time.ts';
import { ClockMarks, MARK_WIDTH } from './clock-marks.tsx';
import { type Handling, ShiftBlock } from './shift-block.tsx';
import type { ShiftMoving } from './use-moving.ts';
import type { ClockTimes, Week } from './use-plan.ts';
import { useShiftDrag } from './use-shift-drag.ts';
import { DAY_MINUTES, type Gap, minuteOf, overlap, type Piece, piecesOf } from './week.ts';
import { DayHeads, GapMarks, HourLines, Hours, NowLine } from './week-frame.tsx';
import { spanIn } from './words.ts';

const HOUR_HEIGHT = 44;
const HOURS_WIDTH = 52;
/** The minimum width of a shift that is shown beside others, so that it can be read. Pixels. */
const LANE_WIDTH = 49;
/** The minimum width of a day with stacked shifts, so that they can be read. Pixels. */
const STACK_WIDTH = 92;
/** The width of a stacked shift, as a share of the day's width. */
const STACKED_SHARE = 0.75;
/** The time of day that an empty week is scrolled to. Minutes after midnight. */
const MORNING = 8 * 60;

interface WeekGridProps {
  week: Week;
  moving: ShiftMoving;
  isReady: boolean;
  canPlan: boolean;
  gaps: readonly Gap[];
  onOpen: (shift: Shift) => void;
  /** Called to plan a shift. @param start milliseconds */
  onPlan: (start: number) => void;
  goTo: (date: string) => void;
}

/** A week: its days side by side, with a row for each hour of the clock. */
export function WeekGrid(props: WeekGridProps) {
  const { week, moving, isReady, canPlan, gaps, onOpen, onPlan, goTo } = props;
  const { days, zone, staff, clocks } = week;
  const hintId = useId();
  const grid = useRef<HTMLDivElement>(null);
  const moved = moving.moving;
  const shifts = useMemo(() => {
    if (moved === null) return week.shifts;
    const others = week.shifts.filter(({ id }) => id !== moved.shift.id);
    return [...others, { ...moved.shift, ...moved.times }];
  }, [week.shifts, moved]);
  const pieces = useMemo(() => piecesOf(shifts, days, zone, true), [shifts, days, zone]);
  const [planned, unplanned] = useMemo(() => {
    const isPlanned = (clock: ClockTimes) =>
      week.shifts.some((shift) => shift.admin_id === clock.admin_id && overlap(shift, clock));
    return [
      piecesOf(clocks.filter(isPlanned), days, zone),
      piecesOf(
        clocks.filter((clock) => !isPlanned(clock)),
        days,
        zone,
      ),
    ];
  }, [week.shifts, clocks, days, zone]);
  const gutter = Math.max(0, ...unplanned.map(({ lanes }) => lanes)) * MARK_WIDTH;
  const startOf = ({ item, day, from, to }: Piece<ClockTimes>) => {
    const shift = pieces.find(
      (piece) =>
        piece.item.admin_id === item.admin_id &&
        piece.day === day &&
        piece.from < to &&
        from < piece.to,
    );
    return laneStart(shift ?? { day, lane: 0, lanes: 1, isStacked: false }, gutter);
  };
  const width = Math.max(76, gutter + Math.max(LANE_WIDTH, ...pieces.map(widthFor)));
  const scroller = useFirstScroll(pieces, week, isReady);
  const startDrag = useShiftDrag(grid, moving, zone);

  const nudge = useCallback<ShiftMoving['nudge']>(
    (shift, change) => {
      const times = moving.nudge(shift, change);
      const [first, last] = [days[0], days.at(-1)];
      if (first === undefined || last === undefined) return times;
      const [start, end] = [Date.parse(times.starts_at), Date.parse(times.ends_at)];
      // Follows the shift to its new week in the same render, so that it keeps the focus.
      if (start >= last.end || end <= first.start) goTo(toLocal(start, zone).slice(0, 10));
      return times;
    },
    [moving, days, zone, goTo],
  );
  const handling: Handling | null = canPlan ? { moving, startDrag, nudge, hintId } : null;

  const plan = (event: MouseEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget) return;
    const box = event.currentTarget.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    const day = days[Math.floor((document.dir === 'rtl' ? 1 - x : x) * 7)];
    const hour = Math.floor(((event.clientY - box.top) / box.height) * 24);
    const start = fromLocal(`${day?.date}T${String(hour).padStart(2, '0')}:00`, zone);
    if (start !== null) onPlan(start);
  };
  return (
    <section
      ref={scroller}
      aria-label={t('Week')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="relative isolate max-h-[max(320px,calc(100dvh-280px))] overflow-auto overscroll-contain rounded-card border border-line bg-surface"
    >
      {handling && (
        <p id={hintId} hidden>
          {t('Arrow keys move the shift, with Shift they move its end. Enter opens it.')}
        </p>
      )}
      <p role="status" className="sr-only">
        {moved && spanIn(moved.times, zone)}
      </p>
      <div style={{ minWidth: HOURS_WIDTH + 7 * width }}>
        <DayHeads days={days} today={week.today} gaps={gaps} />
        <div className="grid grid-cols-[52px_minmax(0,1fr)]">
          <Hours />
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button Plan Shift does the same by keyboard */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
          <div
            ref={grid}
            data-week-grid=""
            style={{ height: 24 * HOUR_HEIGHT }}
            onClick={canPlan ? plan : undefined}
            className="relative"
          >
            <HourLines week={week} />
            <GapMarks gaps={gaps} />
            {pieces.map((piece) => (
              <ShiftBlock
                key={`${piece.item.id} ${partOf(piece, pieces)}`}
                piece={piece}
                admin={staff.get(piece.item.admin_id)}
                zone={zone}
                handling={handling}
                style={boxOf(piece, gutter)}
                onOpen={onOpen}
              />
            ))}
            <ClockMarks pieces={planned} offsetOf={startOf} staff={staff} zone={zone} />
            <ClockMarks
              pieces={unplanned}
              offsetOf={({ day, lane }) => `calc(${day} * 100% / 7 + ${2 + lane * MARK_WIDTH}px)`}
              staff={staff}
              zone={zone}
            />
            <NowLine week={week} />
          </div>
        </div>
      </div>
    </section>
  );
}

/** Returns a piece's index within its shift. As part of the React key, it preserves the element when the shift moves. */
const partOf = ({ item, day }: Piece<Shift>, pieces: readonly Piece<Shift>[]) =>
  pieces.filter((other) => other.item.id === item.id && other.day < day).length;

const laneWidth = (gutter: number) => `(100% / 7 - ${gutter + 6}px)`;

type Lane = Pick<Piece<unknown>, 'day' | 'lane' | 'lanes' | 'isStacked'>;

const shareOf = ({ lanes, isStacked }: Lane) => (isStacked ? STACKED_SHARE : 1 / lanes);

/** Returns the width that a day needs for a piece and those that overlap it. In a stack, every piece's edge must stay in view. */
const widthFor = ({ lanes, isStacked }: Lane) =>
  isStacked
    ? Math.max(STACK_WIDTH, ((lanes - 1) * MARK_WIDTH) / (1 - STACKED_SHARE))
    : lanes * LANE_WIDTH;

function laneStart(piece: Lane, gutter: number): string {
  const { day, lane, lanes } = piece;
  const share = lane === 0 ? 0 : (lane * (1 - shareOf(piece))) / (lanes - 1);
  return `calc(${day} * 100% / 7 + ${gutter + 2}px + ${laneWidth(gutter)} * ${share})`;
}

function boxOf(piece: Piece<unknown>, gutter: number): CSSProperties {
  const { from, to } = piece;
  return {
    top: `${(from / DAY_MINUTES) * 100}%`,
    height: `calc(${((to - from) / DAY_MINUTES) * 100}% - 1px)`,
    insetInlineStart: laneStart(piece, gutter),
    width: `calc(${laneWidth(gutter)} * ${shareOf(piece)} - 1px)`,
  };
}

/**
 * Scrolls a week sideways to today, and down to the earliest of the current time, the shifts' start times and the morning.
 * Returns the ref for the scrolling element.
 */
function useFirstScroll(
  pieces: readonly Piece<Shift>[],
  { days, today, now, zone }: Week,
  isReady: boolean,
) {
  const scroller = useRef<HTMLElement>(null);
  const first = days[0]?.date ?? '';
  const current = days.findIndex(({ date }) => date === today);
  const begins = pieces.filter(({ from }) => from > 0).map(({ from }) => from);
  const earliest = Math.min(current !== -1 ? minuteOf(now, zone) : MORNING, ...begins, MORNING);
  const scroll = useEffectEvent(() => {
    const element = scroller.current;
    if (element === null) return;
    const left = ((element.scrollWidth - HOURS_WIDTH) / 7) * Math.max(0, current);
    element.scrollTo({
      top: Math.max(0, (earliest / 60 - 1) * HOUR_HEIGHT),
      left: document.dir === 'rtl' ? -left : left,
    });
  });
  // Runs only when a different week is shown or loaded, so that later changes don't scroll while someone is reading.
  useEffect(() => scroll(), [first, isReady]);
  return scroller;
}
