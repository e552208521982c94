import { describe, expect, it } from 'vitest';
import { albumHeight, boxOf, columnsOf, MEDIA_MAX_HEIGHT } from './picture-size.ts';

describe('the space reserved for a picture', () => {
  it.each([
    ['is the size of a picture that fits', 300, 200, { width: 300, height: 200 }],
    ['is at most 400 high', 600, 800, { width: 300, height: 400 }],
    ['keeps the proportions of a wide picture', 1920, 960, { width: 480, height: 240 }],
    ['is large enough to click for a tiny picture', 1, 1, { width: 72, height: 72 }],
    ['is wide enough to click for a narrow picture', 10, 4000, { width: 72, height: 400 }],
  ])('%s', (_, width, height, box) => expect(boxOf(width, height)).toEqual(box));

  it('is reserved even when the size is unknown', () => {
    expect(boxOf(null, null).height).toBeLessThanOrEqual(MEDIA_MAX_HEIGHT);
    expect(boxOf(0, 100).height).toBeGreaterThan(0);
  });
});

describe('an album', () => {
  it('fills its rows without gaps', () => {
    expect(columnsOf(2)).toEqual([2, 2]);
    expect(columnsOf(3)).toEqual([1, 2, 2]);
    expect(columnsOf(4)).toEqual([2, 2, 2, 2]);
    expect(columnsOf(5)).toEqual([2, 2, 3, 3, 3]);
    expect(columnsOf(6)).toEqual([3, 3, 3, 3, 3, 3]);
    expect(columnsOf(7)).toEqual([2, 2, 2, 2, 3, 3, 3]);
  });

  it('is as high as its rows', () => {
    expect([3, 4, 6].map((count) => Math.round(albumHeight(count)))).toEqual([340, 340, 227]);
  });
});
