import type { Shift } from '@stagedoor/contract/team/shifts';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import type { CSSProperties, KeyboardEvent } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { classes } from '../../ui/classes.ts';
import { BAR_WIDTH } from './clock-marks.tsx';
import type { ShiftMoving } from './use-moving.ts';
import type { StartDrag } from './use-shift-drag.ts';
import { DAY_MINUTES, movedBy, type Piece, resizedBy, STEP_MINUTES } from './week.ts';
import { dayIn, shortTimesIn, spanIn, timeIn } from './words.ts';

/** The state and functions for moving shifts. */
export interface Handling {
  readonly moving: ShiftMoving;
  readonly startDrag: StartDrag;
  readonly nudge: ShiftMoving['nudge'];
  /** The id of the element that explains the keys. */
  readonly hintId: string;
}

interface ShiftBlockProps {
  piece: Piece<Shift>;
  admin: StaffMember | undefined;
  zone: string;
  /** Null for viewers who can't change shifts. */
  handling: Handling | null;
  style: CSSProperties;
  onOpen: (shift: Shift) => void;
}

/** Leaves room at the edge for the bar of clocked time. Narrows word spaces so that the times fit. */
const EDGE: CSSProperties = {
  borderInlineStart: `${BAR_WIDTH}px solid transparent`,
  wordSpacing: -1,
};

/** A shift in the week's grid, or its part on one day. */
export function ShiftBlock(props: ShiftBlockProps) {
  const { piece, admin, zone, handling, style, onOpen } = props;
  const { item: shift, isEnd, to, from, isStacked } = piece;
  const name = admin?.codename ?? '';
  const isMoving = handling?.moving.moving?.shift.id === shift.id;
  // Tall enough for a line below the name.
  const isTall = to - from >= 90;
  const title = t('{name}, {when}', { name, when: spanIn(shift, zone) });
  return (
    <div
      style={{ '--t': admin?.display_color, ...EDGE, ...style } as CSSProperties}
      className={classes(
        'tinted @container absolute overflow-clip rounded-chip ring-1 ring-surface has-focus-visible:z-10 has-focus-visible:outline-2 has-focus-visible:outline-accent-text',
        isStacked && 'hover:z-10',
        isMoving && 'z-10 opacity-90 shadow-overlay',
      )}
    >
      <button
        type="button"
        data-shift={shift.id}
        aria-describedby={handling?.hintId}
        title={shift.note === '' ? title : `${title}\n${shift.note}`}
        onClick={() => onOpen(shift)}
        onKeyDown={handling ? (event) => onKey(event, shift, zone, handling) : undefined}
        onBlur={handling ? handling.moving.drop : undefined}
        onPointerDown={(event) => handling?.startDrag(event, shift, 'whole')}
        className={classes(
          'flex size-full flex-col items-start justify-start overflow-clip py-0.5 ps-0.5 text-start @min-[92px]:px-1.5 text-badge leading-3.5 outline-none select-none',
          handling && 'cursor-grab active:cursor-grabbing',
        )}
      >
        {/* Stays below the days' names while its shift scrolls past them. */}
        <span className="sticky top-18 flex max-w-full flex-col">
          <span dir="auto" className="max-w-full self-start truncate font-semibold">
            {name}
          </span>
          <span className="sr-only">{dayIn(shift.starts_at, zone)}</span>
          {isTall && (
            <span aria-hidden="true" className="hidden tabular-nums @max-[79px]:inline">
              {shortTimesIn(shift, zone)}
            </span>
          )}
          <span
            className={classes(
              to - from >= 45 ? 'whitespace-nowrap tabular-nums' : 'sr-only',
              isTall && '@max-[79px]:sr-only',
            )}
          >
            {timeIn(shift.starts_at, zone)}{' '}
            <span className={isTall ? undefined : '@max-[91px]:sr-only'}>
              – {timeIn(shift.ends_at, zone)}
            </span>
          </span>
        </span>
        {shift.note !== '' && (
          <span
            className={
              isTall && !isStacked
                ? 'line-clamp-4 max-w-full hyphens-auto wrap-break-word @max-[91px]:sr-only'
                : 'sr-only'
            }
          >
            {shift.note}
          </span>
        )}
      </button>
      {handling && isEnd && (
        <span
          aria-hidden="true"
          data-end={shift.id}
          onPointerDown={(event) => handling.startDrag(event, shift, 'end')}
          className="absolute inset-x-0 bottom-0 h-1.5 cursor-ns-resize touch-none coarse:h-3"
        />
      )}
    </div>
  );
}

function onKey(event: KeyboardEvent, shift: Shift, zone: string, handling: Handling): void {
  const { moving, nudge } = handling;
  const { key, shiftKey } = event;
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (key === 'Escape' && moving.moving !== null) {
    event.preventDefault();
    moving.cancel();
    return;
  }
  const forward = document.dir === 'rtl' ? -1 : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: -STEP_MINUTES,
    ArrowDown: STEP_MINUTES,
    ArrowLeft: -DAY_MINUTES * forward,
    ArrowRight: DAY_MINUTES * forward,
  };
  const minutes = steps[key];
  if (minutes === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  nudge(shift, (times) => (shiftKey ? resizedBy : movedBy)(times, minutes, zone));
}
