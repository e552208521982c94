import { useSyncExternalStore } from 'react';
import { getSession, subscribeSession } from '../../lib/session.ts';

/** A draft that was not touched for this long is forgotten. */
export const DRAFT_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** The message that a text answers, as far as the bar above the text field shows it. */
export interface ReplyTarget {
  id: string;
  sender: string;
  preview: string;
}

/** A text that was begun in a conversation and not sent. */
export interface Draft {
  text: string;
  replyTo: ReplyTarget | null;
  savedAt: number;
}

type Drafts = Readonly<Record<string, Draft>>;

const NONE: Drafts = {};
const STORAGE_PREFIX = 'stagedoor_drafts:';

let owner: string | null = null;
let cached: Drafts | null = null;
const listeners = new Set<() => void>();

function adminId(): string | null {
  const session = getSession();
  return session.status === 'signed_in' ? session.admin.id : null;
}

/** The drafts in a stored text that are still alive; a text that does not parse holds none. */
export function parseDrafts(text: string | null, now: number): Drafts {
  if (text === null) return NONE;
  try {
    const stored = JSON.parse(text) as Record<string, Draft>;
    return Object.fromEntries(
      Object.entries(stored).filter(([, draft]) => now - draft.savedAt < DRAFT_LIFE_MS),
    );
  } catch {
    return NONE;
  }
}

function drafts(): Drafts {
  const admin = adminId();
  if (cached === null || owner !== admin) {
    owner = admin;
    cached = admin === null ? NONE : parseDrafts(localStorage.getItem(STORAGE_PREFIX + admin), Date.now());
  }
  return cached;
}

function store(next: Drafts): void {
  const admin = adminId();
  if (admin === null) return;
  cached = next;
  try {
    if (Object.keys(next).length === 0) localStorage.removeItem(STORAGE_PREFIX + admin);
    else localStorage.setItem(STORAGE_PREFIX + admin, JSON.stringify(next));
  } catch (error) {
    // A full storage: the draft lives on in memory.
    console.error('Failed to store a draft', error);
  }
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}

/** What was begun in a conversation, or null. */
export function readDraft(conversationId: string): Draft | null {
  return drafts()[conversationId] ?? null;
}

/** Keeps what was begun; blank text without a reply target removes it. */
export function writeDraft(conversationId: string, draft: Omit<Draft, 'savedAt'> | null): void {
  const { [conversationId]: previous, ...others } = drafts();
  if (draft === null || (draft.text.trim() === '' && draft.replyTo === null)) {
    if (previous) store(others);
    return;
  }
  store({ ...others, [conversationId]: { ...draft, savedAt: Date.now() } });
}

/** Whether something was begun in a conversation: the draft marker of its row. */
export function hasDraft(conversationId: string): boolean {
  return readDraft(conversationId) !== null;
}

/** Whether there are any drafts: signing out then asks first. */
export function hasAnyDraft(): boolean {
  return Object.keys(drafts()).length > 0;
}

/** Forgets the signed-in admin's drafts. To be called before the session is cleared by a sign-out. */
export function clearDrafts(): void {
  store(NONE);
}

/** Calls back whenever a draft appears, changes or goes; returns how to stop that. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) start();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

let stopSession: (() => void) | null = null;

function start(): void {
  window.addEventListener('storage', onStorage);
  stopSession = subscribeSession(notify);
}

function stop(): void {
  window.removeEventListener('storage', onStorage);
  stopSession?.();
  cached = null;
}

/** Another tab of the same admin wrote. */
function onStorage({ key }: StorageEvent): void {
  if (key !== null && !key.startsWith(STORAGE_PREFIX)) return;
  cached = null;
  notify();
}

/** Whether something was begun in a conversation, re-rendering with it. */
export function useHasDraft(conversationId: string): boolean {
  return useSyncExternalStore(subscribe, () => hasDraft(conversationId));
}
