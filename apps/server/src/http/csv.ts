/** A cell's value; null is an empty cell. */
export type CsvCell = string | number | null;

/**
 * Formats a table as CSV (RFC 4180): CRLF between rows, cells quoted only where needed. A text that a spreadsheet would read as a
 * formula gets a leading apostrophe, which spreadsheets hide. Starts with a byte order mark, which Excel needs to read UTF-8.
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
