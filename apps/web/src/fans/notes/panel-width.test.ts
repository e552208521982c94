import { describe, expect, it } from 'vitest';
import { clampWidth, isDocked, nextWidth, widthByKey } from './panel-width.ts';

describe('the width of the notes panel', () => {
  it('stays between 300 and 600', () => {
    expect([299, 300, 450.4, 600, 601].map(clampWidth)).toEqual([300, 300, 450, 600, 600]);
  });

  it('changes by 16 with arrow keys, and jumps with Home and End', () => {
    expect(widthByKey('ArrowLeft', 400)).toBe(416);
    expect(widthByKey('ArrowRight', 400)).toBe(384);
    expect(widthByKey('ArrowRight', 305)).toBe(300);
    expect(widthByKey('Home', 400)).toBe(300);
    expect(widthByKey('End', 400)).toBe(600);
    expect(widthByKey('a', 400)).toBeNull();
  });

  it('cycles through three widths on click', () => {
    expect([300, 350, 400, 416, 600].map(nextWidth)).toEqual([400, 400, 600, 600, 300]);
  });

  it('docks only when the thread keeps at least 480', () => {
    expect(isDocked(880, 400)).toBe(true);
    expect(isDocked(879, 400)).toBe(false);
  });
});
