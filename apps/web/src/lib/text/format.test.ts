import { describe, expect, it } from 'vitest';
import { displayName, exactTimeOf, hueOf, relativeTime } from './format.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
const before = (ms: number) => new Date(now - ms).toISOString();
const HOUR = 3_600_000;

describe('relative times', () => {
  it('are "Just now" under 1 hour', () => {
    expect(relativeTime(before(0), now)).toBe('Just now');
    expect(relativeTime(before(HOUR - 1), now)).toBe('Just now');
  });

  it('are whole hours under 24 hours', () => {
    expect(relativeTime(before(HOUR), now)).toBe('1h ago');
    expect(relativeTime(before(24 * HOUR - 1), now)).toBe('23h ago');
  });

  it('are "Yesterday" under 48 hours', () => {
    expect(relativeTime(before(24 * HOUR), now)).toBe('Yesterday');
    expect(relativeTime(before(48 * HOUR - 1), now)).toBe('Yesterday');
  });

  it('are the short month and day otherwise', () => {
    expect(relativeTime('2026-03-03T12:00:00.000Z', now)).toBe('Mar 3');
  });

  it('are empty for an invalid instant', () => {
    expect(relativeTime(null, now)).toBe('');
    expect(relativeTime('soon', now)).toBe('');
    expect(exactTimeOf('soon')).toBe('');
  });

  it('treat an instant in the future as now', () => {
    expect(relativeTime(before(-5_000), now)).toBe('Just now');
  });
});

describe('names', () => {
  const nobody = { first_name: null, last_name: null, username: null, email: null };

  it('are the full name, else the username, else the email address', () => {
    const fan = {
      first_name: 'Ana',
      last_name: 'Martins',
      username: 'ana',
      email: 'ana@example.com',
    };
    expect(displayName(fan)).toBe('Ana Martins');
    expect(displayName({ ...fan, first_name: ' ', last_name: null })).toBe('ana');
    expect(displayName({ ...nobody, email: 'ana@example.com' })).toBe('ana@example.com');
    expect(displayName(nobody)).toBe('Unnamed fan');
  });

  it('have one of 12 hues, always the same one', () => {
    expect(hueOf('VIP')).toBe(hueOf('VIP'));
    expect(hueOf('VIP') % 30).toBe(0);
    expect(hueOf('a very long label of a tag')).toBeLessThan(360);
  });
});
