import { describe, expect, it } from 'vitest';
import { createSocket, isAuthenticationError } from './socket.ts';

const withCode = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { data: { code } });

describe('the live connection', () => {
  it('is not opened without a token, and has an error text', () => {
    const socket = createSocket({ onEvent: () => undefined, onUnauthorized: () => undefined });
    socket.connect(null);
    expect(socket.getConnection()).toEqual({
      status: 'unauthenticated',
      error: 'No authentication token',
    });
    expect(
      socket.emit('toggle_reaction', { message_id: 'm', emoji: '🔥', conversation_id: 'c' }),
    ).toBe(false);
  });

  it('treats only authentication errors as final', () => {
    expect(isAuthenticationError(withCode('Not authenticated', 'unauthorized'))).toBe(true);
    expect(isAuthenticationError(withCode('Invalid token'))).toBe(true);
    expect(isAuthenticationError(withCode('xhr poll error'))).toBe(false);
  });
});
