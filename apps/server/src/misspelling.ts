/** Checks whether a name differs from another only in case, in word separators, or by one typo. */
export function isMisspelling(name: string, known: string): boolean {
  const plain = (text: string) => text.toUpperCase().replaceAll(/[_-]/g, '');
  if (plain(name) === plain(known)) return true;
  if (Math.abs(name.length - known.length) > 1) return false;
  let start = 0;
  while (start < name.length && name[start] === known[start]) start++;
  let end = 0;
  while (
    end < name.length - start &&
    end < known.length - start &&
    name.at(-1 - end) === known.at(-1 - end)
  )
    end++;
  const left = name.slice(start, name.length - end);
  const right = known.slice(start, known.length - end);
  // One letter wrong, missing or extra, or two neighbors swapped.
  return (
    (left.length <= 1 && right.length <= 1) ||
    (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0])
  );
}
