import type { NotificationSettings } from '@stagedoor/contract/team/notifications';

/** A minute of the day as time fields have it: `22:00`. */
export function timeText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The minute of the day that a time field has; null for an empty one. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(text) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** Whether a moment is one of the quiet hours, as this device's clock has it. */
export function isQuietAt({ quiet }: Pick<NotificationSettings, 'quiet'>, at: Date): boolean {
  if (quiet === null) return false;
  const minute = at.getHours() * 60 + at.getMinutes();
  const { from, to } = quiet;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
