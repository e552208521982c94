import { describe, expect, it } from 'vitest';
import {
  backspace,
  completeCode,
  EMPTY_ENTRY,
  fill,
  pastedDigits,
  typeInto,
} from './code-entry.ts';

const { boxes: empty } = EMPTY_ENTRY;
const filled = [...'123456'];

describe('the six boxes of the sign-in code', () => {
  it('moves to the next box after a digit', () => {
    expect(typeInto(empty, 0, '7')).toEqual({ boxes: ['7', '', '', '', '', ''], focus: 1 });
  });

  it('accepts digits only', () => {
    expect(typeInto(empty, 2, 'x')).toEqual({ boxes: empty, focus: 2 });
  });

  it('replaces the digit of a filled box, whether the new one is typed before or after it', () => {
    expect(typeInto(filled, 1, '29').boxes.join('')).toBe('193456');
    expect(typeInto(filled, 1, '92').boxes.join('')).toBe('193456');
    expect(typeInto(filled, 1, '22').boxes.join('')).toBe('123456');
  });

  it('spreads a code that the browser autofills into one box', () => {
    expect(completeCode(typeInto(empty, 0, '654321').boxes)).toBe('654321');
  });

  it('is complete only with six digits', () => {
    expect(completeCode(filled.with(3, ''))).toBeNull();
    expect(completeCode(filled)).toBe('123456');
  });

  it('strips everything but digits from pasted text', () => {
    expect(pastedDigits('12-34 56')).toBe('123456');
  });

  it('finds a separate code in a pasted sentence', () => {
    expect(pastedDigits('Your code is 123456. It lives for 5 minutes.')).toBe('123456');
  });

  it('fills in a whole pasted code from the first box, wherever it is pasted', () => {
    expect(fill(empty, 4, '123456')).toEqual({ boxes: filled, focus: 5 });
  });

  it('fills part of a code from the box it was pasted into', () => {
    expect(fill(empty, 2, '98')).toEqual({ boxes: ['', '', '9', '8', '', ''], focus: 4 });
  });

  it('moves to the previous box on Backspace in an empty one, and stops at the first', () => {
    expect(backspace(empty, 3).focus).toBe(2);
    expect(backspace(filled, 3).focus).toBe(3);
    expect(backspace(empty, 0).focus).toBe(0);
  });
});
