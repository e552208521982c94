import type { DeliveryAttempt } from '@stagedoor/contract/webhooks';

const SECOND_MS = 1_000;

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const date = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });

/** A local time to the second, with its day unless that is today. `now` is in milliseconds. */
export function timeInWords(iso: string, now: number): string {
  const at = new Date(iso);
  const time = clock.format(at);
  const isToday = at.toDateString() === new Date(now).toDateString();
  return isToday ? time : `${date.format(at)}, ${time}`;
}

/** How long something took. */
export function durationInWords(ms: number): string {
  return ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(1)} s`;
}

/** What came of a try, in a few words. */
export function answerInWords({ status, duration_ms, answer }: DeliveryAttempt): string {
  if (status !== null) return `${status} in ${durationInWords(duration_ms)}`;
  return answer === '' ? 'No answer' : `No answer: ${answer}`;
}

/** How often a delivery was tried. */
export function triesInWords(attempts: number): string {
  if (attempts === 0) return 'Not tried yet';
  return attempts === 1 ? '1 try' : `${attempts} tries`;
}

/** JSON over several lines, as it is read; any other text as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
