import { describe, expect, it } from 'vitest';
import { highlight } from './highlight.ts';

const marked = (text: string, query: string) =>
  highlight(text, query)
    .map((part) => (part.found ? `[${part.text}]` : part.text))
    .join('');

describe('highlighting matches', () => {
  it('finds every match, ignoring case', () => {
    expect(marked('Ana and ANA', 'ana')).toBe('[Ana] and [ANA]');
  });

  it('takes special characters literally', () => {
    expect(marked('100% (yes)', '% (')).toBe('100[% (]yes)');
  });

  it('leaves a text without a match unchanged', () => {
    expect(marked('hello', 'xy')).toBe('hello');
    expect(marked('hello', '')).toBe('hello');
  });
});
