/** Returns SQL that formats an instant as the API does: ISO 8601 in UTC with milliseconds. */
export function isoText(expression: string): string {
  return `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
