import type { StaffMember } from '@stagedoor/contract/team/staff';
import type { CSSProperties } from 'react';
import { t } from '../../lib/text/i18n.ts';
import { Tooltip } from '../../ui/overlay/tooltip.tsx';
import type { ClockTimes } from './use-plan.ts';
import { DAY_MINUTES, type Piece } from './week.ts';
import { spanIn } from './words.ts';

/** The width of a mark with its gap. Pixels. */
export const MARK_WIDTH = 6;

interface ClockMarksProps {
  pieces: readonly Piece<ClockTimes>[];
  staff: ReadonlyMap<string, StaffMember>;
  zone: string;
}

/** The times on the clock, as a bar for each admin at the start of a day. */
export function ClockMarks({ pieces, staff, zone }: ClockMarksProps) {
  return pieces.map(({ item, day, from, to, lane }) => {
    const admin = staff.get(item.admin_id);
    const text = t('{name} on the clock: {when}', {
      name: admin?.codename ?? '',
      when: spanIn(item, zone),
    });
    const style = {
      background: admin?.display_color,
      top: `${(from / DAY_MINUTES) * 100}%`,
      height: `${((to - from) / DAY_MINUTES) * 100}%`,
      insetInlineStart: `calc(${day} * 100% / 7 + ${2 + lane * MARK_WIDTH}px)`,
    } satisfies CSSProperties;
    return (
      <Tooltip key={`${item.id}-${day}`} text={text} describes={false}>
        <span
          role="img"
          aria-label={text}
          style={style}
          className="absolute w-1 rounded-full ring-1 ring-surface"
        />
      </Tooltip>
    );
  });
}
