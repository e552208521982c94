import { OTP_LENGTH } from '@stagedoor/contract/team/auth';

/** The content of the six boxes: a digit or an empty string each. */
export type CodeBoxes = readonly string[];

/** The boxes after an input, and the index of the focused one. */
export interface CodeEntry {
  boxes: CodeBoxes;
  focus: number;
}

/** Empty boxes, with the focus on the first. */
export const EMPTY_ENTRY: CodeEntry = {
  boxes: Array.from({ length: OTP_LENGTH }, () => ''),
  focus: 0,
};

/** Returns the digits to use from a pasted text: a standalone six-digit code if it contains one, otherwise its first digits. */
export function pastedDigits(text: string): string {
  const alone = /(?<!\d)\d{6}(?!\d)/.exec(text);
  return alone ? alone[0] : text.replace(/\D/g, '').slice(0, OTP_LENGTH);
}

/** Puts digits into a box and the boxes after it. A complete code always starts at the first box. */
export function fill(boxes: CodeBoxes, index: number, digits: string): CodeEntry {
  if (digits === '') return { boxes, focus: index };
  const start = digits.length >= OTP_LENGTH ? 0 : index;
  const filled = boxes.map((digit, at) => digits[at - start] ?? digit);
  return { boxes: filled, focus: Math.min(start + digits.length, OTP_LENGTH - 1) };
}

/** Handles a box's new text: one typed digit, which replaces the old digit; several digits at once; or a deletion. */
export function typeInto(boxes: CodeBoxes, index: number, text: string): CodeEntry {
  const digits = text.replace(/\D/g, '');
  const old = boxes[index] ?? '';
  if (text === '') return { boxes: boxes.with(index, ''), focus: index };
  if (old !== '' && digits.length === 2 && digits.includes(old)) {
    return fill(boxes, index, digits.startsWith(old) ? digits.slice(1) : digits.slice(0, 1));
  }
  return fill(boxes, index, digits);
}

/** Moves the focus back on Backspace in an empty box. In a filled one, the browser deletes the digit. */
export function backspace(boxes: CodeBoxes, index: number): CodeEntry {
  return { boxes, focus: boxes[index] === '' ? Math.max(0, index - 1) : index };
}

/** Returns the code if every box has a digit, otherwise null. */
export function completeCode(boxes: CodeBoxes): string | null {
  return boxes.every((digit) => digit !== '') ? boxes.join('') : null;
}
