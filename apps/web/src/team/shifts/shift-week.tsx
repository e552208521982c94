import { lazyExtra } from '@stagedoor/browser/lazy-part';
import type { Shift } from '@stagedoor/contract/team/shifts';
import type { StaffMember } from '@stagedoor/contract/team/staff';
import { CalendarPlus, ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useCommands } from '../../lib/commands.ts';
import { useIsSplit } from '../../lib/media-query.ts';
import { useAdmin } from '../../lib/server/session.ts';
import { t } from '../../lib/text/i18n.ts';
import { fromLocal, ownZone, toLocal } from '../../lib/text/zoned-time.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadingLine } from '../../ui/loading-line.tsx';
import { QueryError } from '../../ui/query-error.tsx';
import { DayList } from './day-list.tsx';
import { OnNow } from './on-now.tsx';
import { useMoving } from './use-moving.ts';
import { usePlan, type Week } from './use-plan.ts';
import { addDays, type Gap, gapsIn } from './week.ts';
import { HATCHED } from './week-frame.tsx';
import { WeekGrid } from './week-grid.tsx';
import { WeekHours } from './week-hours.tsx';
import { spanIn, weekName } from './words.ts';

const ShiftDialog = lazyExtra(async () => (await import('./shift-dialog.tsx')).ShiftDialog);
const FiguresDialog = lazyExtra(async () => (await import('./figures-dialog.tsx')).FiguresDialog);
const ShiftDetails = lazyExtra(async () => (await import('./shift-details.tsx')).ShiftDetails);

const NO_GAPS: readonly Gap[] = [];

/** The open dialog: a shift, a new shift that begins at `start` (milliseconds), or figures for a period. */
type Opened =
  | { shift: Shift }
  | { start: number }
  | { figuresOf: StaffMember; from: string; to: string; subtitle: string };

/** The team's shifts, a week at a time. Admins who can manage admins plan shifts here. */
export function ShiftWeek({ clock }: { clock: ReactNode }) {
  const { id, permissions } = useAdmin();
  const canPlan = permissions.can_manage_admins;
  const { plan, week, goTo, current } = usePlan();
  const [opened, setOpened] = useState<Opened | null>(null);
  const isSplit = useIsSplit();
  const moving = useMoving(week.zone);
  const isReady = plan.data !== undefined && !plan.isPlaceholderData;
  const planNew = () => setOpened({ start: nextStart(week) });
  const open = (shift: Shift) => {
    moving.drop();
    setOpened({ shift });
  };
  const close = () => setOpened(null);
  const { days, zone, staff, now } = week;
  const showsGaps = canPlan && isReady && week.shifts.length > 0;
  const gaps = showsGaps ? gapsIn(week.shifts, days, zone, now) : NO_GAPS;
  const showWeekOf = (admin: StaffMember) => {
    const [first, last] = [days[0], days.at(-1)];
    if (first === undefined || last === undefined) return;
    setOpened({
      figuresOf: admin,
      from: new Date(first.start).toISOString(),
      to: new Date(last.end).toISOString(),
      subtitle: weekName(first.date, last.date),
    });
  };
  /** Returns the function that opens a shift's figures; null before the shift begins, or if the viewer may not see them. */
  const figuresOf = (shift: Shift) => {
    const admin = staff.get(shift.admin_id);
    const canSee = canPlan || shift.admin_id === id;
    if (admin === undefined || !canSee || Date.parse(shift.starts_at) > now) return null;
    const { starts_at: from, ends_at: to } = shift;
    return () => setOpened({ figuresOf: admin, from, to, subtitle: spanIn(shift, zone) });
  };
  useCommands([
    {
      id: 'plan_shift',
      title: t('Plan Shift'),
      section: t('Team'),
      enabled: canPlan && isReady,
      run: planNew,
    },
  ]);
  const hours = <WeekHours week={week} hasAll={canPlan} ownId={id} onFigures={showWeekOf} />;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-x-4 gap-y-3">
        <div className="flex w-full max-w-md flex-col justify-center rounded-card border border-line bg-surface px-3 py-1.5">
          {clock}
        </div>
        {current && <OnNow plan={current} now={now} />}
      </div>
      <WeekBar week={week} goTo={goTo}>
        {isSplit && <Legend hasGaps={gaps.length > 0} />}
        {canPlan && (
          <Button variant="primary" icon={<CalendarPlus />} onClick={planNew} disabled={!isReady}>
            {t('Plan Shift')}
          </Button>
        )}
      </WeekBar>
      {plan.isError && <QueryError query={plan} text={t('Couldn’t load the shifts')} />}
      {!isReady && !plan.isError && <LoadingLine text={t('Loading shifts...')} className="" />}
      {isReady && isSplit && week.shifts.length === 0 && (
        <p className="text-control text-fg-2">
          {canPlan
            ? t('No shifts this week. Choose a time in the week, or Plan Shift.')
            : t('No shifts this week. Managers plan them here.')}
        </p>
      )}
      {isSplit && hours}
      {isSplit ? (
        <WeekGrid
          week={week}
          moving={moving}
          isReady={isReady}
          canPlan={canPlan && isReady}
          gaps={gaps}
          onOpen={open}
          onPlan={(start) => setOpened({ start })}
          goTo={goTo}
        />
      ) : (
        <DayList week={week} isReady={isReady} gaps={gaps} onOpen={open} />
      )}
      {!isSplit && hours}
      {opened !== null && 'figuresOf' in opened && (
        <FiguresDialog
          admin={opened.figuresOf}
          subtitle={opened.subtitle}
          from={opened.from}
          to={opened.to}
          onClose={close}
        />
      )}
      {opened !== null && canPlan && !('figuresOf' in opened) && (
        <ShiftDialog
          before={'shift' in opened ? opened.shift : null}
          start={'start' in opened ? opened.start : Date.parse(opened.shift.starts_at)}
          week={week}
          onFigures={'shift' in opened ? figuresOf(opened.shift) : null}
          onClose={close}
        />
      )}
      {opened !== null && !canPlan && 'shift' in opened && (
        <ShiftDetails
          shift={opened.shift}
          week={week}
          onFigures={figuresOf(opened.shift)}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Returns when a new shift begins: at the next full hour; in any other week, on the morning of its first day. */
function nextStart({ days, today, now, zone }: Week): number {
  const hasToday = days.some(({ date }) => date === today);
  const hour = hasToday
    ? `${toLocal(now + 3_600_000, zone).slice(0, 13)}:00`
    : `${days[0]?.date}T09:00`;
  return fromLocal(hour, zone) ?? now;
}

interface WeekBarProps {
  week: Week;
  goTo: (date: string) => void;
  children: ReactNode;
}

/** The name of the week, and the buttons for other weeks. */
function WeekBar({ week: { days, today, zone }, goTo, children }: WeekBarProps) {
  const first = days[0]?.date ?? today;
  const last = days.at(-1)?.date ?? today;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="flex items-center gap-1">
        <IconButton
          label={t('Previous Week')}
          icon={<ChevronLeft className="rtl:-scale-x-100" />}
          onClick={() => goTo(addDays(first, -7))}
        />
        <Button
          onClick={() => goTo(today)}
          aria-current={first <= today && today <= last ? 'date' : undefined}
        >
          {t('This Week')}
        </Button>
        <IconButton
          label={t('Next Week')}
          icon={<ChevronRight className="rtl:-scale-x-100" />}
          onClick={() => goTo(addDays(first, 7))}
        />
      </div>
      <div className="me-auto min-w-0 max-md:order-last max-md:basis-full">
        <h2 className="text-message font-semibold tracking-tight">{weekName(first, last)}</h2>
        {zone !== ownZone() && (
          <p className="text-meta text-fg-3">
            {t('Times are in the team’s time zone, {zone}', { zone: zone.replaceAll('_', ' ') })}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-md:ms-auto">{children}</div>
    </div>
  );
}

/** Explains the blocks and the thin bars of the week's grid. */
function Legend({ hasGaps }: { hasGaps: boolean }) {
  return (
    <p aria-hidden="true" className="flex items-center gap-1.5 text-meta text-fg-2">
      <span className="h-3.5 w-3 rounded-xs bg-accent/15 ring-1 ring-accent/60 ring-inset" />
      <span className="me-2">{t('Planned')}</span>
      <span className="h-3.5 w-1 rounded-full bg-accent" />
      {t('On the Clock')}
      {hasGaps && (
        <>
          <span style={HATCHED} className="ms-2 h-3.5 w-3 rounded-xs border border-line" />
          {t('Without Cover')}
        </>
      )}
    </p>
  );
}
