let letters: Intl.Segmenter | undefined;

/** Returns the first letter of a name in upper case. Keeps emoji and accented letters whole. */
export function initialOf(name: string): string {
  // Created once, because construction is too slow to repeat for each row of a list.
  letters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const [first] = letters.segment(name.trim());
  return first?.segment.toUpperCase() ?? '?';
}
