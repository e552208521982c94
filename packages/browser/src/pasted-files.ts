/** Returns the files to attach from a clipboard; none for formatted text, which office programs copy with a picture of it. */
export const pastedFiles = ({ files, types }: DataTransfer): File[] =>
  types.includes('text/plain') && types.includes('text/html') ? [] : [...files];
