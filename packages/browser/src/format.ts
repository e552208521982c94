import { locale } from './i18n.ts';

const KILO = 1024;

/** Formats a file size in B, KB or MB. */
export function formatBytes(bytes: number): string {
  if (bytes < KILO) return `${bytes} B`;
  const kilobytes = bytes / KILO;
  // Anything that would round up to 1024 KB is shown as 1 MB.
  if (kilobytes < KILO - 0.05) return `${rounded(kilobytes)} KB`;
  return `${rounded(kilobytes / KILO)} MB`;
}

function rounded(amount: number): string {
  return amount.toLocaleString(locale, { maximumFractionDigits: 1, useGrouping: false });
}

/** Formats seconds as `1:05` or `1:01:05`. */
export function formatClock(seconds: number): string {
  const whole = Math.floor(seconds);
  const pad = (part: number) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const end = pad(whole % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`;
}
