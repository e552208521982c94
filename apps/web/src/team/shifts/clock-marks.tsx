import type { StaffMember } from '@stagedoor/contract/team/staff';
import type { CSSProperties } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import type { ClockTimes } from './use-plan.ts';
import { DAY_MINUTES, type Piece } from './week.ts';
import { spanIn } from './words.ts';

/** The width of a mark, and of the space for it in a shift. Pixels. */
export const BAR_WIDTH = 3;
/** The width of a mark with its gap. Pixels. */
export const MARK_WIDTH = 6;

interface ClockMarksProps {
  pieces: readonly Piece<ClockTimes>[];
  /** Returns the distance from the start of the week, as CSS. */
  offsetOf: (piece: Piece<ClockTimes>) => string;
  staff: ReadonlyMap<string, StaffMember>;
  zone: string;
}

/** The times on the clock, as bars. */
export function ClockMarks({ pieces, offsetOf, staff, zone }: ClockMarksProps) {
  return pieces.map((piece) => {
    const { item, day, from, to } = piece;
    const admin = staff.get(item.admin_id);
    const text = t('{name} on the clock: {when}', {
      name: admin?.codename ?? '',
      when: spanIn(item, zone),
    });
    const style = {
      background: admin?.display_color,
      width: BAR_WIDTH,
      top: `${(from / DAY_MINUTES) * 100}%`,
      height: `${((to - from) / DAY_MINUTES) * 100}%`,
      insetInlineStart: offsetOf(piece),
    } satisfies CSSProperties;
    return (
      <Tooltip key={`${item.id}-${day}`} text={text} describes={false}>
        <span role="img" aria-label={text} style={style} className="absolute z-10 rounded-full" />
      </Tooltip>
    );
  });
}
