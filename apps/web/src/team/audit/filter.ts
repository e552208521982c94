/** A filter of the log. Empty strings match everything. */
export interface AuditFilter {
  adminId: string;
  action: string;
  /** The first and last day, `YYYY-MM-DD` in the browser's time zone. */
  firstDay: string;
  lastDay: string;
}

export const NO_FILTER: AuditFilter = { adminId: '', action: '', firstDay: '', lastDay: '' };

/** Returns whether the filter excludes anything. */
export function isFiltering(filter: AuditFilter): boolean {
  return Object.values(filter).some((part) => part !== '');
}

/** Returns the filter as an API query: days become timestamps, from the start of the first to the end of the last. */
export function queryOf({ adminId, action, firstDay, lastDay }: AuditFilter) {
  const from = startOf(firstDay, 0);
  const to = startOf(lastDay, 1);
  return {
    ...(adminId !== '' && { admin_id: adminId }),
    ...(action !== '' && { action }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

/** Returns when the day `daysLater` days after `day` starts in local time; null for an invalid day. */
function startOf(day: string, daysLater: number): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return null;
  const start = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}
