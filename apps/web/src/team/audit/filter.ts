/** What of the log is looked at. Empty texts leave everything. */
export interface AuditFilter {
  adminId: string;
  action: string;
  /** The first and the last day, `YYYY-MM-DD` where the browser is. */
  firstDay: string;
  lastDay: string;
}

export const NO_FILTER: AuditFilter = { adminId: '', action: '', firstDay: '', lastDay: '' };

/** Whether anything is left out. */
export function isFiltering(filter: AuditFilter): boolean {
  return Object.values(filter).some((part) => part !== '');
}

/** A filter as the server takes it: days become instants, from the first one's beginning to the last one's end. */
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

/** When a day begins where the browser is, or another some days later; null for no valid day. */
function startOf(day: string, daysLater: number): string | null {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return null;
  const start = new Date(year, month - 1, date + daysLater);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}
