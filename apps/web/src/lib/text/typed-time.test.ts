import { describe, expect, it } from 'vitest';
import { dateHint, dateOrderOf, readDate, readTime, showDate, showTime } from './typed-time.ts';

const ORDERS = {
  'en-US': ['11/23/2026', '11/23', '112326'],
  'en-GB': ['23/11/2026', '23/11', '231126'],
  de: ['23.11.2026', '23.11.', '231126'],
  es: ['23/11/2026', '23-11', '231126'],
  pt: ['23/11/2026', '23 11', '231126'],
  ar: ['23/11/2026', '٢٣/١١', '٢٣١١٢٠٢٦'],
  'ar-SA': ['23/11/2026', '23/11', '23112026'],
  'en-CA': ['2026-11-23', '11-23', '20261123'],
};

describe('a date', () => {
  it.each(Object.entries(ORDERS))('in %s is shown and read in the region’s order', (tag, texts) => {
    const order = dateOrderOf(tag);
    expect(showDate('2026-11-23', order)).toBe(texts[0]);
    for (const text of texts) expect(readDate(text, '2026', order)).toBe('2026-11-23');
    expect(readDate('2026-11-23', '2020', order)).toBe('2026-11-23');
  });

  it('may have one-digit parts and a short year', () => {
    expect(readDate('4.3.27', '2026', dateOrderOf('de'))).toBe('2027-03-04');
  });

  it('is null for an invalid or incomplete text', () => {
    for (const text of ['', '3', '30/02/2026', '1/13/2026', '1/2/026', '1/2/3/4', 'tomorrow', '/'])
      expect(readDate(text, '2026', dateOrderOf('en-GB'))).toBeNull();
    expect(showDate('')).toBe('');
  });

  it('has a placeholder in the region’s order', () => {
    expect(dateHint(dateOrderOf('de'))).toBe('DD.MM.YYYY');
    expect(dateHint(dateOrderOf('ar'))).toBe('DD/MM/YYYY');
  });
});

describe('a time', () => {
  it.each([
    ['18:00', '18:00'],
    ['9', '09:00'],
    ['09', '09:00'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['9.30', '09:30'],
    ['9h30', '09:30'],
    ['9 pm', '21:00'],
    ['9:30 p.m.', '21:30'],
    ['12am', '00:00'],
    ['12 PM', '12:00'],
    ['٩:٣٠', '09:30'],
    ['9:30 م', '21:30'],
  ])('typed as %s is %s', (text, time) => {
    expect(readTime(text)).toBe(time);
  });

  it('is null for an invalid text', () => {
    for (const text of ['', '24:00', '9:60', '9:5', '13 pm', '0am', 'noon', '12345'])
      expect(readTime(text)).toBeNull();
  });

  it('is shown with 24 hours', () => {
    expect(showTime('21:30')).toBe('21:30');
    expect(showTime('')).toBe('');
  });
});
