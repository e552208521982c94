/** Spreadsheets only detect UTF-8 if the file starts with this mark, which `fetch` strips. */
const BYTE_ORDER_MARK = '\uFEFF';
/** Milliseconds until the file's URL is revoked: long enough for the browser to start the download. */
const KEEP_MS = 60_000;

/** Downloads a fetched CSV text as a file. @param name without its extension */
export function saveCsv(name: string, csv: string): void {
  const file = new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' });
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}
