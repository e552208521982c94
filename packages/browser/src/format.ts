const KILO = 1024;

/** A file's size in B, KB or MB, its digits as a locale writes them. */
export function formatBytes(bytes: number, locale = 'en'): string {
  if (bytes < KILO) return `${bytes} B`;
  const kilobytes = bytes / KILO;
  // What would be rounded up to 1024 KB is a megabyte.
  if (kilobytes < KILO - 0.05) return `${rounded(kilobytes, locale)} KB`;
  return `${rounded(kilobytes / KILO, locale)} MB`;
}

function rounded(amount: number, locale: string): string {
  return amount.toLocaleString(locale, { maximumFractionDigits: 1, useGrouping: false });
}

/** An amount of US dollars, always with its cents. */
export function formatPrice(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

let letters: Intl.Segmenter | undefined;

/** The first letter of a name as a person reads it, emoji and accents kept whole. */
export function initialOf(name: string): string {
  // Made once: that takes longer than a row of a list may.
  letters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const [first] = letters.segment(name.trim());
  return first?.segment.toUpperCase() ?? '?';
}
