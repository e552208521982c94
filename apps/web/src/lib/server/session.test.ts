import { describe, expect, it } from 'vitest';
import { parseStoredAdmin, restoreSession, STORED_ADMIN, STORED_TOKEN } from './session.ts';

const admin = {
  id: 'a1',
  email: 'owner@example.com',
  permissions: { can_manage_admins: true, can_manage_messages: true },
};

function storageOf(items: Record<string, string>): Storage {
  const held = new Map(Object.entries(items));
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
    clear: () => held.clear(),
    key: () => null,
    get length() {
      return held.size;
    },
  };
}

describe('restoring the session', () => {
  it('uses the stored token and admin', () => {
    const storage = storageOf({ [STORED_TOKEN]: 't', [STORED_ADMIN]: JSON.stringify(admin) });
    expect(restoreSession(storage)).toMatchObject({ status: 'signed_in', token: 't', admin });
  });

  it('removes admin data that does not parse, and asks the server for the admin', () => {
    const storage = storageOf({ [STORED_TOKEN]: 't', [STORED_ADMIN]: '{oops' });
    expect(restoreSession(storage)).toEqual({ status: 'loading', token: 't' });
    expect(storage.getItem(STORED_ADMIN)).toBeNull();
    expect(storage.getItem(STORED_TOKEN)).toBe('t');
  });

  it('is signed out without a token', () => {
    expect(restoreSession(storageOf({ [STORED_ADMIN]: JSON.stringify(admin) }))).toEqual({
      status: 'signed_out',
    });
  });

  it('does not accept other JSON values as an admin', () => {
    for (const text of ['null', '42', '"x"', '[]', '{}', '{"id":1,"email":"e","permissions":{}}']) {
      expect(parseStoredAdmin(text)).toBeNull();
    }
  });
});
