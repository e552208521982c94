/** A cell's value; null is an empty cell. */
export type CsvCell = string | number | boolean | null;
type CsvRow = readonly CsvCell[];

/**
 * Formats a table as CSV (RFC 4180): CRLF between rows, cells quoted only where needed. A text that a spreadsheet would read as a
 * formula gets a leading apostrophe. Starts with a byte order mark, which Excel needs to read UTF-8.
 */
export const toCsv = (header: readonly string[], rows: readonly CsvRow[]): string =>
  `\uFEFF${linesOf([header, ...rows])}`;

/**
 * Formats a table as CSV, batch by batch. Reads a batch only when the previous one has been consumed. The first batch, which may be
 * empty, comes with the header.
 */
export async function* streamCsv(
  header: readonly string[],
  batches: AsyncIterable<readonly CsvRow[]>,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of batches) {
    yield isFirst ? toCsv(header, rows) : linesOf(rows);
    isFirst = false;
  }
}

const linesOf = (rows: readonly CsvRow[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');

function cell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
