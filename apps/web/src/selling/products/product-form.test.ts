import { expect, it } from 'vitest';
import { ApiError } from '../../lib/server/api.ts';
import { errorsOf, newTexts, objectionTo, readTexts } from './product-form.ts';

const MEGABYTE = 1024 * 1024;
const texts = { title: ' Sunset ', description: '  ', price: '12.5', folderId: '' };

it('a new product costs 9.99 by default and goes into the open folder', () => {
  expect(newTexts('f')).toEqual({ title: '', description: '', price: '9.99', folderId: 'f' });
  expect(newTexts(null).folderId).toBe('');
});

it('a blank description or folder becomes null', () => {
  expect(readTexts(texts)).toEqual({
    details: { title: 'Sunset', description: null, price: 12.5, folder_id: null },
  });
});

it.each([
  [{ title: ' ' }, { title: 'Title is required' }],
  [{ price: '0' }, { price: 'Please enter a valid price' }],
  [{ price: '' }, { price: 'Please enter a valid price' }],
  [{ price: '1.005' }, { price: 'Please enter a valid price' }],
  [
    { title: '', price: '-1' },
    { title: 'Title is required', price: 'Please enter a valid price' },
  ],
])('%j is refused', (change, errors) => {
  expect(readTexts({ ...texts, ...change })).toEqual({ errors });
});

it.each([
  ['image/png', 10 * MEGABYTE - 1, null],
  ['image/png', 10 * MEGABYTE, 'File size must be less than 10MB'],
  ['video/mp4', 5, 'Please select an image file'],
  ['', 5, 'Please select an image file'],
])('a file of type %j and %i bytes: %j', (type, size, objection) => {
  expect(objectionTo({ type, size })).toBe(objection);
});

it('an error is shown at the field that caused it', () => {
  const refusal = (failure: Partial<ConstructorParameters<typeof ApiError>[0]>) =>
    errorsOf(new ApiError({ status: 400, message: 'No', ...failure }), 'Failed to create product');
  expect(refusal({ fields: { image: 'Too wide', other: 'x' } })).toEqual({ image: 'Too wide' });
  expect(refusal({ code: 'invalid_file' })).toEqual({ image: 'No' });
  expect(refusal({ code: 'folder_not_found' })).toEqual({ folder_id: 'No' });
  expect(refusal({ code: 'internal_error' })).toEqual({ form: 'No' });
  expect(refusal({ status: 0, message: '' })).toEqual({ form: 'Failed to create product' });
});
