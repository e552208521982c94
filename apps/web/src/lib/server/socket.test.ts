import { describe, expect, it } from 'vitest';
import { createSocket, isAuthenticationError } from './socket.ts';

const withCode = (message: string, code?: string) =>
  Object.assign(new Error(message), code === undefined ? {} : { data: { code } });

describe('the live connection', () => {
  it('is not tried without a token, and says so', () => {
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

  it('takes a refusal for who asks as final, and no other', () => {
    expect(isAuthenticationError(withCode('Not authenticated', 'unauthorized'))).toBe(true);
    expect(isAuthenticationError(withCode('Invalid token'))).toBe(true);
    expect(isAuthenticationError(withCode('xhr poll error'))).toBe(false);
  });
});
