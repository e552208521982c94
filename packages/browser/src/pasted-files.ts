/** Returns the files to attach from a clipboard: none if it is text, which office programs copy together with an image of it. */
export const pastedFiles = ({ files, types }: DataTransfer): File[] =>
  types.includes('text/plain') && types.includes('text/html') ? [] : [...files];
