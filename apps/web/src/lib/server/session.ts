import type { SignedInAdmin } from '@stagedoor/contract/team/auth';
import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';

/** Local storage keys of the session. */
export const STORED_TOKEN = 'admin_token';
export const STORED_ADMIN = 'admin_data';

/** The session of this browser. `loading`: there is a token, but its admin has not been fetched yet. */
export type SessionState =
  | { status: 'loading'; token: string }
  | { status: 'signed_out' }
  | { status: 'signed_in'; token: string; admin: SignedInAdmin };

const SIGNED_OUT: SessionState = { status: 'signed_out' };

/** Parses a stored admin; null if the text is invalid. Fields that an older version did not store get neutral values. */
export function parseStoredAdmin(text: string | null): SignedInAdmin | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isAdminLike(value) ? { ...NEUTRAL_FIELDS, ...value } : null;
  } catch {
    return null;
  }
}

type AdminLike = Pick<SignedInAdmin, 'id' | 'email' | 'permissions'> & Partial<SignedInAdmin>;

const NEUTRAL_FIELDS = { codename: '', role: 'support', display_color: '#828690' } as const;

function isAdminLike(value: unknown): value is AdminLike {
  if (typeof value !== 'object' || value === null) return false;
  const admin = value as Partial<Record<keyof SignedInAdmin, unknown>>;
  return (
    typeof admin.id === 'string' &&
    typeof admin.email === 'string' &&
    typeof admin.permissions === 'object' &&
    admin.permissions !== null
  );
}

/** Restores the session from a storage. Removes admin data that does not parse. */
export function restoreSession(storage: Storage): SessionState {
  const token = storage.getItem(STORED_TOKEN);
  const stored = storage.getItem(STORED_ADMIN);
  const admin = parseStoredAdmin(stored);
  if (stored !== null && admin === null) storage.removeItem(STORED_ADMIN);
  if (!token) return SIGNED_OUT;
  return admin === null ? { status: 'loading', token } : { status: 'signed_in', token, admin };
}

let current: SessionState = SIGNED_OUT;
const listeners = createListeners();

function change(next: SessionState): void {
  current = next;
  listeners.notify();
}

export function getSession(): SessionState {
  return current;
}

/** Returns the session's token, or null when signed out. */
export function getToken(): string | null {
  return current.status === 'signed_out' ? null : current.token;
}

/** Returns whether the token is still stored: site data can be cleared while the page stays open. */
export function isTokenStored(): boolean {
  return localStorage.getItem(STORED_TOKEN) !== null;
}

/** Calls back on every change of the session. Returns a function that stops this. */
export const subscribeSession = listeners.subscribe;

/** Restores the stored session and follows sign-ins and sign-outs in other tabs. Called once, before the first render. */
export function watchSession(): void {
  change(restoreSession(localStorage));
  window.addEventListener('storage', ({ key }) => {
    // A null key means that everything was cleared.
    if (key === null || key === STORED_TOKEN) change(restoreSession(localStorage));
  });
}

export function startSession(token: string, admin: SignedInAdmin): void {
  localStorage.setItem(STORED_ADMIN, JSON.stringify(admin));
  localStorage.setItem(STORED_TOKEN, token);
  change({ status: 'signed_in', token, admin });
}

export function updateAdmin(admin: SignedInAdmin): void {
  if (current.status === 'signed_out') return;
  const isKnown =
    current.status === 'signed_in' && JSON.stringify(current.admin) === JSON.stringify(admin);
  if (!isKnown) startSession(current.token, admin);
}

export function endSession(): void {
  localStorage.removeItem(STORED_TOKEN);
  localStorage.removeItem(STORED_ADMIN);
  change(SIGNED_OUT);
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribeSession, getSession);
}

let lastAdmin: SignedInAdmin | null = null;

/**
 * Returns the signed-in admin. Only for components behind the signed-in guard. They may render once more while a sign-out
 * unmounts them; they then get the admin who just signed out.
 */
export function useAdmin(): SignedInAdmin {
  const session = useSession();
  if (session.status === 'signed_in') lastAdmin = session.admin;
  if (lastAdmin === null) throw new Error('nobody is signed in');
  return lastAdmin;
}
