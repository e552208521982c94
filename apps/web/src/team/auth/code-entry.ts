import { OTP_LENGTH } from '@stagedoor/contract/team/auth';

/** What stands in the six boxes: a digit each, or nothing. */
export type CodeBoxes = readonly string[];

/** The boxes after something happened, and which of them has the focus now. */
export interface CodeEntry {
  boxes: CodeBoxes;
  focus: number;
}

/** No digit yet, the focus on the first box. */
export const EMPTY_ENTRY: CodeEntry = {
  boxes: Array.from({ length: OTP_LENGTH }, () => ''),
  focus: 0,
};

/** The digits of a pasted text: a code that stands by itself in it, or else its first digits, whatever is between them. */
export function pastedDigits(text: string): string {
  const alone = /(?<!\d)\d{6}(?!\d)/.exec(text);
  return alone ? alone[0] : text.replace(/\D/g, '').slice(0, OTP_LENGTH);
}

/** Puts digits into a box and those after it; a whole code starts at the first box. */
export function fill(boxes: CodeBoxes, index: number, digits: string): CodeEntry {
  if (digits === '') return { boxes, focus: index };
  const start = digits.length >= OTP_LENGTH ? 0 : index;
  const filled = boxes.map((digit, at) => digits[at - start] ?? digit);
  return { boxes: filled, focus: Math.min(start + digits.length, OTP_LENGTH - 1) };
}

/** What a box's new text means: one typed digit (which replaces the old one), several that were filled in, or its removal. */
export function typeInto(boxes: CodeBoxes, index: number, text: string): CodeEntry {
  const digits = text.replace(/\D/g, '');
  const old = boxes[index] ?? '';
  if (text === '') return { boxes: boxes.with(index, ''), focus: index };
  if (old !== '' && digits.length === 2 && digits.includes(old)) {
    return fill(boxes, index, digits.startsWith(old) ? digits.slice(1) : digits.slice(0, 1));
  }
  return fill(boxes, index, digits);
}

/** Backspace in an empty box goes to the one before; in a filled one the browser empties it. */
export function backspace(boxes: CodeBoxes, index: number): CodeEntry {
  return { boxes, focus: boxes[index] === '' ? Math.max(0, index - 1) : index };
}

/** The code once every box has its digit, else null. */
export function completeCode(boxes: CodeBoxes): string | null {
  return boxes.every((digit) => digit !== '') ? boxes.join('') : null;
}
