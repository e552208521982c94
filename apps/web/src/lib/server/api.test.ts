import { describe, expect, it } from 'vitest';
import { ApiError, errorText, urlOf } from './api.ts';

describe('calling an endpoint', () => {
  it('fills in the path and leaves out undefined values', () => {
    const path = '/api/messages/admin/conversation/{id}/messages';
    expect(urlOf(path, { params: { id: 'a/b' }, query: { limit: 50, before: undefined } })).toBe(
      '/api/messages/admin/conversation/a%2Fb/messages?limit=50',
    );
  });

  it('keeps special characters in a query', () => {
    expect(urlOf('/api/x', { query: { q: '50% & more_' } })).toBe('/api/x?q=50%25+%26+more_');
  });

  it('shows the server’s text, or the fallback if there is none', () => {
    const said = new ApiError({ status: 409, message: 'Already claimed' });
    expect(errorText(said, 'Failed')).toBe('Already claimed');
    expect(errorText(new ApiError({ status: 0 }), 'Failed')).toBe('Failed');
    expect(errorText(new TypeError('x is undefined'), 'Failed')).toBe('Failed');
  });
});
