import { describe, expect, it } from 'vitest';
import { ApiError, errorText } from './api.ts';

describe('calling an endpoint', () => {
  it('shows the server’s text, or the fallback if there is none', () => {
    const said = new ApiError({ status: 409, message: 'Already claimed' });
    expect(errorText(said, 'Failed')).toBe('Already claimed');
    expect(errorText(new ApiError({ status: 0 }), 'Failed')).toBe('Failed');
    expect(errorText(new TypeError('x is undefined'), 'Failed')).toBe('Failed');
  });
});
