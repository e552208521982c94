import { AVATAR_MAX_BYTES } from '@stagedoor/contract/team/creator';
import { describe, expect, it } from 'vitest';
import { held, objectionTo, panned, squareOf, WHOLE, ZOOM_MAX } from './crop.ts';

const wide = { width: 800, height: 400 };

describe('the crop square of a picture', () => {
  it('starts as the largest one, centered', () => {
    expect(squareOf(wide, WHOLE)).toEqual({ left: 200, top: 0, side: 400 });
  });

  it('follows a drag, and stays within the picture', () => {
    expect(squareOf(wide, panned(wide, WHOLE, 0.25, 0)).left).toBe(100);
    expect(squareOf(wide, panned(wide, WHOLE, 9, 9))).toEqual({ left: 0, top: 0, side: 400 });
    expect(squareOf(wide, panned(wide, WHOLE, -9, -9)).left).toBe(400);
  });

  it('shrinks around its center when zoomed', () => {
    expect(squareOf(wide, held(wide, { ...WHOLE, zoom: 2 }))).toEqual({
      left: 300,
      top: 100,
      side: 200,
    });
  });

  it('zooms up to four times, and no wider than the picture', () => {
    expect(held(wide, { ...WHOLE, zoom: 9 }).zoom).toBe(ZOOM_MAX);
    expect(held(wide, { ...WHOLE, zoom: 0.1 }).zoom).toBe(1);
  });

  it('moves back inside when zooming out would leave the picture', () => {
    const corner = held(wide, { x: 0, y: 0, zoom: 4 });
    expect(squareOf(wide, held(wide, { ...corner, zoom: 1 }))).toEqual({
      left: 0,
      top: 0,
      side: 400,
    });
  });
});

describe('files accepted as the picture', () => {
  it.each(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])('takes %s', (type) => {
    expect(objectionTo({ type, size: 10 })).toBeNull();
  });

  it.each(['image/svg+xml', 'image/tiff', 'application/pdf', ''])('refuses “%s”', (type) => {
    expect(objectionTo({ type, size: 10 })).toBe(
      'Please select a valid image file (JPG, PNG, WEBP, or GIF)',
    );
  });

  it('are smaller than 5 MB', () => {
    expect(objectionTo({ type: 'image/png', size: AVATAR_MAX_BYTES - 1 })).toBeNull();
    expect(objectionTo({ type: 'image/png', size: AVATAR_MAX_BYTES })).toBe(
      'Image file must be less than 5MB',
    );
  });
});
