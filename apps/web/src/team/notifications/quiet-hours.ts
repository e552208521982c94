import type { NotificationSettings } from '@stagedoor/contract/team/notifications';

/** Formats a minute of the day for a time field: `22:00`. */
export function timeText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Returns the minute of the day in a time field, or null if it is empty. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** Returns whether a time is within the quiet hours, by this device's clock. */
export function isQuietAt({ quiet }: Pick<NotificationSettings, 'quiet'>, at: Date): boolean {
  if (quiet === null) return false;
  const minute = at.getHours() * 60 + at.getMinutes();
  const { from, to } = quiet;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
