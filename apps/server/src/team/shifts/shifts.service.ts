import { randomUUID } from 'node:crypto';
import type { EndpointParsed } from '@stagedoor/contract/endpoint';
import {
  type Clock,
  type createShift,
  SHIFT_MAX_HOURS,
  SHIFT_MIN_MINUTES,
  type Shift,
  type ShiftExtension,
  type ShiftScope,
  type updateShift,
} from '@stagedoor/contract/team/shifts';
import { writeAudit } from '../../db/audit.ts';
import { isUuid, violates } from '../../db/database.ts';
import type { Tx } from '../../db/tables.ts';
import type { Core } from '../../domain.ts';
import * as errors from '../../errors.ts';
import type { AdminActor, Manager } from '../../http/route.ts';
import { readSettings } from '../settings/settings.store.ts';
import type { Acts } from './acts.ts';
import * as clocks from './clocks.store.ts';
import * as plan from './plan.store.ts';
import { startsOf } from './series.ts';

/** A manager's change to an admin's shifts that aren't over: how many, and the id and times of the first. */
export interface PlanChange {
  readonly adminId: string;
  readonly shiftId: string;
  readonly what: 'planned' | 'moved' | 'deleted';
  readonly count: number;
  readonly starts_at: string;
  readonly ends_at: string;
}

/** Notifies staff of changes to their shifts and clocks. */
export interface ShiftNotices {
  clockStopped(adminId: string): void;
  timeAsked(request: { readonly id: string; readonly codename: string }): void;
  timeGranted(adminId: string, until: string): void;
  planChanged(change: PlanChange): void;
}

interface ShiftsDependencies extends Pick<Core, 'db' | 'changeShared'> {
  readonly acts: Acts;
  readonly notices: ShiftNotices;
}

type NewShift = EndpointParsed<typeof createShift>['body'];
type ShiftChange = EndpointParsed<typeof updateShift>['body'];

export type ShiftsService = ReturnType<typeof createShiftsService>;

/** Plans shifts, starts and stops staff's clocks, and grants more time. */
export function createShiftsService({ db, changeShared, acts, notices }: ShiftsDependencies) {
  /** Runs a change and queues its event in one transaction, then emits the event. */
  const change = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    changeShared(async (tx, share) => {
      const result = await work(tx);
      await share({ what: 'shifts' });
      return result;
    });

  /** Notifies an admin of a change to their shifts that aren't over, unless the admin made it. @param shifts earliest first */
  function notify(
    manager: Manager['admin'],
    what: PlanChange['what'],
    shifts: readonly Shift[],
  ): void {
    const left = shifts.filter(({ ends_at }) => Date.parse(ends_at) >= Date.now());
    const [first] = left;
    if (first === undefined || first.admin_id === manager.id) return;
    const { id: shiftId, admin_id: adminId, starts_at, ends_at } = first;
    notices.planChanged({ adminId, shiftId, what, count: left.length, starts_at, ends_at });
  }

  return {
    /** Returns the plan of a period. Only managers see the notes and clocks of others. */
    async list({ admin }: AdminActor, from: Date, to: Date) {
      const all = admin.permissions.can_manage_admins;
      const [shifts, ran, { time_zone }] = await Promise.all([
        plan.findShifts(db, from, to),
        clocks.findClocks(db, { from, to, adminId: all ? null : admin.id }),
        readSettings(db.kysely),
      ]);
      const ids = [...shifts, ...ran].map(({ admin_id }) => admin_id);
      return {
        data: shifts.map((shift) =>
          all || shift.admin_id === admin.id ? shift : { ...shift, note: '' },
        ),
        clocks: ran,
        staff: await clocks.findStaff(db, [...new Set(ids)]),
        time_zone,
      };
    },

    /** @throws AppError 409 `shift_conflict`, `admin_inactive`; 404 `admin_not_found` */
    async create({ admin }: Manager, { repeat, ...input }: NewShift) {
      const { first, shifts } = await change(async (tx) => {
        const [startsAt, endsAt] = timesOf(input);
        await plan.lockPlan(tx);
        const adminId = await requireActive(tx, input.admin_id);
        const { time_zone: timeZone } = await readSettings(tx);
        const starts = repeat === undefined ? [startsAt] : startsOf(repeat, startsAt, timeZone);
        const seriesId = repeat === undefined ? null : randomUUID();
        const shared = { adminId, note: input.note, seriesId, startsAt, endsAt, timeZone };
        const shifts = await plan.insertShifts(tx, shared, starts);
        await refuseOverlaps(tx, shifts);
        const [first] = shifts;
        if (first === undefined) throw new Error('the pattern has no shifts');
        const details = {
          ...audited(first),
          ...(repeat && { rule: repeat.rule, count: shifts.length }),
        };
        await audit(tx, admin.id, 'shift.create', adminId, details);
        return { first, shifts };
      });
      notify(admin, 'planned', shifts);
      return { data: first, count: shifts.length };
    },

    /** @throws AppError 404 `shift_not_found`, `admin_not_found`; 409 `shift_conflict`, `admin_inactive` */
    async update({ admin }: Manager, id: string, { scope, ...input }: ShiftChange): Promise<Shift> {
      const { before, after, was, changed } = await change(async (tx) => {
        await plan.lockPlan(tx);
        const before = await requireShift(tx, id);
        const [startsAt, endsAt] = timesOf({ ...before, ...defined(input) }, before);
        const adminId =
          input.admin_id === undefined ? before.admin_id : await requireActive(tx, input.admin_id);
        const { time_zone: timeZone } = await readSettings(tx);
        const to = { adminId, note: input.note, startsAt, endsAt, timeZone };
        const was = await plan.findInScope(tx, before, scope);
        const changed = await plan.changeShifts(tx, before, scope, to);
        await refuseOverlaps(tx, changed);
        const after = await requireShift(tx, id);
        const details = { ...audited(after), scope, count: changed.length, was: audited(before) };
        await audit(tx, admin.id, 'shift.update', adminId, details);
        return { before, after, was, changed };
      });
      if (before.admin_id !== after.admin_id) {
        notify(admin, 'deleted', was);
        notify(admin, 'planned', changed);
      } else if (before.starts_at !== after.starts_at || before.ends_at !== after.ends_at) {
        notify(admin, 'moved', changed);
      }
      return after;
    },

    /** @throws AppError 404 `shift_not_found` @returns how many were deleted */
    async remove({ admin }: Manager, id: string, scope: ShiftScope): Promise<number> {
      const deleted = await change(async (tx) => {
        await plan.lockPlan(tx);
        const shift = await requireShift(tx, id);
        const deleted = await plan.deleteShifts(tx, shift, scope);
        const details = { ...audited(shift), scope, count: deleted.length };
        await audit(tx, admin.id, 'shift.delete', shift.admin_id, details);
        return deleted;
      });
      notify(admin, 'deleted', deleted);
      return deleted.length;
    },

    /** @throws AppError 409 `already_clocked_in` */
    async clockIn({ admin }: AdminActor): Promise<Clock> {
      try {
        return await change((tx) => clocks.startClock(tx, admin.id));
      } catch (error) {
        throw violates(error, 'clocks_open') ? errors.alreadyClockedIn() : error;
      }
    },

    /** @throws AppError 409 `not_clocked_in` */
    clockOut: ({ admin }: AdminActor): Promise<Clock> =>
      change(async (tx) => {
        const clock = await clocks.stopClock(tx, admin.id, 'admin');
        if (clock === null) throw errors.notClockedIn();
        return clock;
      }),

    /** Returns the caller's clock, until when they can act, and their open request; for managers, also everyone else's requests. */
    async now({ admin }: AdminActor) {
      const [clock, access, open, settings] = await Promise.all([
        clocks.findClock(db, admin.id),
        clocks.findAccess(db, admin.id),
        clocks.findRequests(db),
        readSettings(db.kysely),
      ]);
      const { is_limited, until } = access;
      return {
        clock,
        idle_minutes: settings.clock_idle_minutes,
        access: { is_limited, until: is_limited ? (until?.toISOString() ?? null) : null },
        asked: open.find((request) => request.admin.id === admin.id) ?? null,
        requests: admin.permissions.can_manage_admins
          ? open.filter((request) => request.admin.id !== admin.id)
          : [],
      };
    },

    async ask({ admin }: AdminActor): Promise<ShiftExtension> {
      const recent = await clocks.findRecentRequest(db, admin.id);
      if (recent !== null) return recent;
      const request = await change(async (tx) => {
        const asked = await clocks.insertRequest(tx, admin.id);
        await audit(tx, admin.id, 'shift.ask_for_time', admin.id, {});
        return asked;
      });
      notices.timeAsked({ id: request.id, codename: admin.codename });
      return request;
    },

    /** @throws AppError 404 `extension_not_found`, also for a request that nobody granted in time */
    async grant({ admin }: Manager, id: string): Promise<ShiftExtension> {
      const asked = isUuid(id) ? await clocks.findRequest(db, id) : null;
      if (asked === null) throw errors.extensionNotFound();
      const { until } = await clocks.findAccess(db, asked.admin.id);
      const granted = await change(async (tx) => {
        const given = await clocks.grantRequest(tx, id, admin.id, until);
        if (given === null) return null;
        const details = { until: given.until };
        await audit(tx, admin.id, 'shift.grant_time', given.admin.id, details);
        return given;
      });
      if (granted !== null) {
        if (granted.until !== null) notices.timeGranted(granted.admin.id, granted.until);
        return granted;
      }
      const stored = await clocks.findRequest(db, id);
      if (!stored?.until) throw errors.extensionNotFound();
      return stored;
    },

    /** Writes acts to the clocks, then stops the idle ones. */
    async stopIdle(): Promise<void> {
      await acts.flush();
      if (!(await clocks.hasIdleClocks(db))) return;
      for (const adminId of await change(clocks.stopIdleClocks)) notices.clockStopped(adminId);
    },
  };
}

type Times = Pick<Shift, 'starts_at' | 'ends_at'>;

/**
 * @param kept the stored times, which stay valid: a clock change can make a pattern's shift longer than 24 hours
 * @throws AppError 400 for times in the wrong order, too close together or too far apart
 */
function timesOf({ starts_at, ends_at }: Times, kept?: Times): [Date, Date] {
  const times: [Date, Date] = [new Date(starts_at), new Date(ends_at)];
  if (kept && +times[0] === Date.parse(kept.starts_at) && +times[1] === Date.parse(kept.ends_at))
    return times;
  const minutes = (+times[1] - +times[0]) / 60_000;
  if (minutes < SHIFT_MIN_MINUTES)
    throw errors.invalidField('ends_at', 'A shift lasts at least 15 minutes');
  if (minutes > SHIFT_MAX_HOURS * 60)
    throw errors.invalidField('ends_at', 'A shift lasts at most 24 hours');
  return times;
}

const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

async function requireShift(tx: Tx, id: string): Promise<Shift> {
  const shift = isUuid(id) ? await plan.findShift(tx, id) : null;
  if (shift === null) throw errors.shiftNotFound();
  return shift;
}

async function requireActive(tx: Tx, id: string): Promise<string> {
  // A concurrent removal has either finished, or waits for this lock and then deletes the shifts planned here.
  const found = tx.selectFrom('admins').select(['id', 'is_active']).where('id', '=', id).forShare();
  const admin = isUuid(id) ? await found.executeTakeFirst() : undefined;
  if (admin === undefined) throw errors.adminNotFound();
  if (!admin.is_active) throw errors.adminInactive();
  return admin.id;
}

async function refuseOverlaps(tx: Tx, shifts: readonly Shift[]): Promise<void> {
  const ids = shifts.map(({ id }) => id);
  const other = await plan.findOverlap(tx, ids);
  if (other !== null) throw errors.shiftConflict({ ...other });
}

const audited = ({ starts_at, ends_at, note }: Shift) => ({ starts_at, ends_at, note });

const audit = (
  tx: Tx,
  adminId: string,
  action: string,
  targetId: string,
  details: Readonly<Record<string, unknown>>,
) => writeAudit(tx, { adminId, action, targetId, details });
