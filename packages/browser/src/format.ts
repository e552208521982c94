const KILO = 1024;

/** A file's size in B, KB or MB. */
export function formatBytes(bytes: number): string {
  if (bytes < KILO) return `${bytes} B`;
  const kilobytes = bytes / KILO;
  // What would be rounded up to 1024 KB is a megabyte.
  if (kilobytes < KILO - 0.05) return `${trimmed(kilobytes)} KB`;
  return `${trimmed(kilobytes / KILO)} MB`;
}

function trimmed(amount: number): string {
  return amount.toFixed(1).replace('.0', '');
}

/** An amount of US dollars, always with its cents. */
export function formatPrice(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** The first letter of a name as a person reads it, emoji and accents kept whole. */
export function initialOf(name: string): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name.trim());
  return first?.segment.toUpperCase() ?? '?';
}
