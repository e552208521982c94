import { expect, it } from 'vitest';
import { matches } from './offer.ts';

it('finds a product by part of its title', () => {
  expect(matches({ title: 'Sunset Set' }, ' SET')).toBe(true);
  expect(matches({ title: 'Sunset Set' }, '')).toBe(true);
  expect(matches({ title: 'Sunset Set' }, 'dawn')).toBe(false);
});
