/** What a cell can hold; null is an empty one. */
export type CsvCell = string | number | null;

/**
 * A table as CSV (RFC 4180): CRLF between rows, cells quoted where they must be. A text that a spreadsheet would take for
 * a formula gets an apostrophe in front, which spreadsheets hide. Starts with a byte order mark, without which Excel
 * doesn't read UTF-8.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(cell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function cell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
