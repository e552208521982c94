import { useSyncExternalStore } from 'react';
import { createStored } from '../../lib/stored.ts';
import type { ReplyTarget } from './reply-target.ts';
import { forgetAllUnsent, hasUnsent } from './unsent.ts';

/** A draft that was not touched for this long is forgotten. */
export const DRAFT_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** A text that was begun in a conversation and not sent. */
export interface Draft {
  text: string;
  replyTo: ReplyTarget | null;
  savedAt: number;
}

type Drafts = Readonly<Record<string, Draft>>;

const NONE: Drafts = {};

/** The drafts in a stored text that are still alive. */
export function parseDrafts(text: string, now: number): Drafts {
  const stored = JSON.parse(text) as Drafts;
  return Object.fromEntries(
    Object.entries(stored).filter(([, draft]) => now - draft.savedAt < DRAFT_LIFE_MS),
  );
}

const drafts = createStored<Drafts>({
  name: 'drafts',
  empty: NONE,
  parse: (text) => parseDrafts(text, Date.now()),
  isEmpty: (value) => Object.keys(value).length === 0,
});

/** What was begun in a conversation, or null. */
export function readDraft(conversationId: string): Draft | null {
  return drafts.get()[conversationId] ?? null;
}

/** Keeps what was begun; blank text without a reply target removes it. */
export function writeDraft(conversationId: string, draft: Omit<Draft, 'savedAt'> | null): void {
  const { [conversationId]: previous, ...others } = drafts.get();
  if (draft === null || (draft.text.trim() === '' && draft.replyTo === null)) {
    if (previous) drafts.set(others);
    return;
  }
  drafts.set({ ...others, [conversationId]: { ...draft, savedAt: Date.now() } });
}

/** Whether something was begun in a conversation: the draft marker of its row. */
export function hasDraft(conversationId: string): boolean {
  return readDraft(conversationId) !== null;
}

/** Whether anything was written and not sent: signing out then asks first. */
export function hasAnyDraft(): boolean {
  return Object.keys(drafts.get()).length > 0 || hasUnsent();
}

/** Forgets what the signed-in admin wrote and did not send. To be called before a sign-out clears the session. */
export function clearDrafts(): void {
  drafts.set(NONE);
  forgetAllUnsent();
}

/** Calls back whenever a draft appears, changes or goes; returns how to stop that. */
export function subscribe(listener: () => void): () => void {
  return drafts.subscribe(listener);
}

/** Whether something was begun in a conversation, re-rendering with it. */
export function useHasDraft(conversationId: string): boolean {
  return useSyncExternalStore(subscribe, () => hasDraft(conversationId));
}
