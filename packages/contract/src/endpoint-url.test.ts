import { expect, test } from 'vitest';
import { urlOf } from './endpoint-url.ts';

test('a call’s URL has its parameters filled in and leaves out undefined values', () => {
  const path = '/api/messages/admin/conversation/{id}/messages';
  expect(urlOf(path, { params: { id: 'a/b' }, query: { limit: 50, before: undefined } })).toBe(
    '/api/messages/admin/conversation/a%2Fb/messages?limit=50',
  );
});

test('a query keeps special characters', () => {
  expect(urlOf('/api/x', { query: { q: '50% & more_' } })).toBe('/api/x?q=50%25+%26+more_');
});
