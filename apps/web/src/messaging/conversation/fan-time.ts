/** A fan's local time. */
export interface FanTime {
  /** For example `02:14`. */
  clock: string;
  /** The city in the time zone's name, for example `Lisbon`. */
  city: string;
  isNight: boolean;
}

const NIGHT_FROM_HOUR = 22;
const NIGHT_UNTIL_HOUR = 8;

/** Returns the fan's local time, or null for a time zone that this browser does not know. `now` is in milliseconds. */
export function fanTime(timeZone: string, now: number): FanTime | null {
  try {
    const format = new Intl.DateTimeFormat('en', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    const clock = format.format(now);
    const hour = Number(clock.slice(0, 2));
    const city = (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
    return { clock, city, isNight: hour >= NIGHT_FROM_HOUR || hour < NIGHT_UNTIL_HOUR };
  } catch {
    return null;
  }
}
