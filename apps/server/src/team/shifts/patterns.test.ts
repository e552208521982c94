import { updateSettings } from '@stagedoor/contract/team/settings';
import * as api from '@stagedoor/contract/team/shifts';
import { describe, expect, test } from 'vitest';
import { buildStaff } from '../../../test/factories.ts';
import { sharedApp } from '../../../test/test-app.ts';
import { readSettings } from '../settings/settings.store.ts';

const HOUR_MS = 3_600_000;

/** The days on which clocks change, and by how many hours the day gets longer. */
const CHANGES = [
  ['Europe/Berlin', '2027-03-28', -1, '+01:00'],
  ['Europe/Berlin', '2027-10-31', 1, '+02:00'],
  ['CET', '2027-03-28', -1, '+01:00'],
  ['America/New_York', '2027-03-14', -1, '-05:00'],
  ['America/New_York', '2027-11-07', 1, '-04:00'],
] as const;

const app = await sharedApp();
const boss = await buildStaff(app, { role: 'manager' });

describe.each(CHANGES)('around the change of clocks in %s on %s', (zone, day, longer, offset) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  const shown = (at: string) => format.format(new Date(at));
  const dayFrom = (days: number) =>
    new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);

  /** Plans a pattern that starts some days before the change, and returns its shifts as the zone's clock shows them. */
  async function planned(
    {
      from,
      times,
      rule,
      except = [],
    }: {
      readonly from: number;
      readonly times: readonly [string, string];
      readonly rule: string;
      readonly except?: readonly string[];
    },
    nextDay = false,
  ) {
    const { version } = await readSettings(app.db.kysely);
    await boss.client.call(updateSettings, { body: { version, time_zone: zone } });
    const mango = await buildStaff(app);
    const ends = dayFrom(from + (nextDay ? 1 : 0));
    const { body } = await boss.client.call(api.createShift, {
      body: {
        admin_id: mango.admin.id,
        starts_at: `${dayFrom(from)}T${times[0]}:00${offset}`,
        ends_at: `${ends}T${times[1]}:00${offset}`,
        repeat: { rule, except: [...except] },
      },
    });
    const list = async () => {
      const query = { from: `${dayFrom(-20)}T00:00:00Z`, to: `${dayFrom(20)}T00:00:00Z` };
      const all = (await boss.client.call(api.listShifts, { query })).body.data;
      return all.filter(({ admin_id }) => admin_id === mango.admin.id);
    };
    return { first: body.data, shifts: await list(), list };
  }
  const hours = ({ starts_at, ends_at }: api.Shift) =>
    (Date.parse(ends_at) - Date.parse(starts_at)) / HOUR_MS;

  test('a day shift keeps its times and skips excluded days, even the day of the change', async () => {
    const { shifts } = await planned({
      from: -3,
      times: ['09:00', '17:00'],
      rule: 'FREQ=DAILY;COUNT=7',
      except: [dayFrom(-1), day],
    });
    expect(shifts.map(({ starts_at, ends_at }) => [shown(starts_at), shown(ends_at)])).toEqual(
      [-3, -2, 1, 2, 3].map((days) => [`${dayFrom(days)} 09:00`, `${dayFrom(days)} 17:00`]),
    );
    expect(shifts.map(hours)).toEqual([8, 8, 8, 8, 8]);
  });

  test('a night shift keeps its times, and only the night of the change is longer or shorter', async () => {
    const { shifts } = await planned(
      { from: -3, times: ['22:00', '06:00'], rule: 'FREQ=DAILY;COUNT=5' },
      true,
    );
    expect(shifts.map(({ starts_at, ends_at }) => [shown(starts_at), shown(ends_at)])).toEqual(
      [-3, -2, -1, 0, 1].map((days) => [`${dayFrom(days)} 22:00`, `${dayFrom(days + 1)} 06:00`]),
    );
    expect(shifts.map(hours)).toEqual([8, 8, 8 + longer, 8, 8]);
  });

  test('the shifts of a weekly pattern move by the same local time, before and after the change', async () => {
    const { first, list } = await planned({
      from: -7,
      times: ['09:00', '17:00'],
      rule: 'FREQ=WEEKLY;COUNT=3',
      except: [],
    });
    await boss.client.call(api.updateShift, {
      params: { id: first.id },
      body: {
        starts_at: `${dayFrom(-6)}T10:30:00${offset}`,
        ends_at: `${dayFrom(-6)}T18:00:00${offset}`,
        scope: 'all',
      },
    });
    expect(
      (await list()).map(({ starts_at, ends_at }) => [shown(starts_at), shown(ends_at)]),
    ).toEqual([-6, 1, 8].map((days) => [`${dayFrom(days)} 10:30`, `${dayFrom(days)} 18:00`]));
  });

  test('a time of day that the clocks skip has no shift, and one that they repeat has one', async () => {
    const isSkipped = longer < 0;
    // Both zones skip the hour from two. Berlin repeats the same hour, New York the hour before.
    const hour = !isSkipped && zone === 'America/New_York' ? '01' : '02';
    const { shifts } = await planned({
      from: -2,
      times: [`${hour}:15`, '04:00'],
      rule: 'FREQ=DAILY;COUNT=5',
    });
    // RFC 5545 ignores times that don't exist, and doesn't count them.
    expect(shifts.map(({ starts_at }) => shown(starts_at))).toEqual(
      (isSkipped ? [-2, -1, 1, 2, 3] : [-2, -1, 0, 1, 2]).map(
        (days) => `${dayFrom(days)} ${hour}:15`,
      ),
    );
    const usual = 4 - Number(hour) - 0.25;
    const changed = isSkipped ? usual : usual + 1;
    expect(shifts.map(hours)).toEqual([usual, usual, changed, usual, usual]);
  });

  test.each([
    [['02:15', '04:00'], false],
    [['01:15', '04:00'], false],
    [['00:00', '00:00'], true],
  ] as const)(
    'a new note leaves all times of the pattern %j as they are',
    async (times, nextDay) => {
      const pattern = { from: -2, times, rule: 'FREQ=DAILY;COUNT=5' };
      const { shifts, list } = await planned(pattern, nextDay);
      for (const { id, starts_at, ends_at } of shifts)
        await boss.client.call(api.updateShift, {
          params: { id },
          body: { starts_at, ends_at, note: 'Bring cake', scope: 'all' },
        });
      expect(await list()).toEqual(shifts.map((shift) => ({ ...shift, note: 'Bring cake' })));
    },
  );
});
