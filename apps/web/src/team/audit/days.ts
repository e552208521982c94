import type { AuditEntry } from '@stagedoor/contract/team/audit';
import { locale } from '../../lib/text/i18n.ts';

const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const clock = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
});

export interface AuditDay {
  title: string;
  entries: AuditEntry[];
}

/** Groups entries by local day, in their order. */
export function byDay(entries: readonly AuditEntry[]): AuditDay[] {
  const days: AuditDay[] = [];
  for (const entry of entries) {
    const title = longDate.format(Date.parse(entry.at));
    const last = days.at(-1);
    if (last?.title === title) last.entries.push(entry);
    else days.push({ title, entries: [entry] });
  }
  return days;
}

/** Formats the local time of a timestamp to the minute. */
export function timeOfDay(iso: string): string {
  return clock.format(Date.parse(iso));
}
